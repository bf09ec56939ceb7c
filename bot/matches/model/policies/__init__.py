"""The four policies in which features meet: clocks, news, visibility and acts. Pure: callers gather facts and ask."""
