"""Tables, migrations and queries. Knows rows and transactions; knows no rules, no people's texts and no Discord."""
