"""What the demo changes in simcord's page: what goes wrong in real time, and what is there for those who write bots.

Knows the texts of the version of simcord that ``pyproject.toml`` pins; a test says when one of them is gone.
"""

from __future__ import annotations

from typing import Final

STYLE: Final = """
#messages-toggle, #refresh, #capture-open, #inspector-toggle, #back-activity, #view-action-output,
.messages-sidebar, .drawer-scrim { display: none !important; }
.preview-shell { --toolbar-height: 52px !important; }
.preview-toolbar { gap: 16px !important; flex-wrap: nowrap !important; padding-inline: 16px !important; }
.viewer-control, .viewer-control select { font-size: 14px !important; }
.preview-brand > span:last-child { display: inline !important; }
.preview-brand small { display: block !important; }
#action-status { flex: 1 1 0 !important; }
"""

MENDED = {
    # Opening a menu makes the page draw all messages anew. For a moment their pictures have no height, so that it
    # scrolls up, the menu leaves the view and is closed at once. A picture drawn before is put back without waiting.
    "/media.js": (
        ("export function renderMedia(", "const drawn = new Map();\nexport function renderMedia("),
        (
            'image.loading = "eager";',
            'image.loading = "eager"; if (drawn.has(assetId)) image.src = drawn.get(assetId);',
        ),
        ("image.src = url;", "image.src = url; drawn.set(assetId, url);"),
    ),
    # A menu that has become another one, in a message that was edited, forgets what was chosen in it before: the page
    # would show that as chosen already, and choosing it would do nothing.
    "/selects.js": (
        ("export function renderSelect(", "const known = new Map();\nexport function renderSelect("),
        (
            "if (draftValue(key) === undefined) {",
            "if (component.type === TYPE.STRING_SELECT && known.has(key) && known.get(key) !== component.custom_id) "
            "options.onReconcileDraft?.(key, optionDefaults(entries).slice(0, maximum));\n"
            "  known.set(key, component.custom_id);\n"
            "  if (draftValue(key) === undefined) {",
        ),
    ),
    # A page that shows the newest message goes on to do so, although a picture that has just been loaded makes it
    # longer, until the person scrolls up.
    "/timeline.js": (
        (
            'if (!state.ready && state.scrollIntent?.policy === "target") return;',
            'if (!state.ready && state.scrollIntent?.policy === "target") return;\n'
            "    const down = ui.timeline.scrollTop >= top; top = ui.timeline.scrollTop;\n"
            '    if (down && state.scrollIntent?.policy === "bottom") return;',
        ),
        ("const observer = new ResizeObserver(", "let top = 0;\n  const observer = new ResizeObserver("),
        (
            'if (state.scrollIntent?.policy !== "target") state.scrollIntent = captureScrollIntent();',
            'if (!["target", "bottom"].includes(state.scrollIntent?.policy)) '
            "state.scrollIntent = captureScrollIntent();",
        ),
        # What answers a person comes into view, wherever they have scrolled to.
        (
            "if ((snapshot.history?.hasAfter || hasNewTail) &&",
            "if (hasNewTail && snapshot.lastAction?.outcomes?.some("
            "(item) => item.messageId && !previousIds.includes(item.messageId))) "
            'state.scrollIntent = { policy: "bottom" };\n'
            "    if ((snapshot.history?.hasAfter || hasNewTail) &&",
        ),
        # Every minute, messages with a relative time are drawn anew, so that "in 3 days" stays true.
        (
            '${message.poll ? state.profile.presentationTime : ""}',
            "${message.poll ? state.profile.presentationTime "
            """: fingerprint(message).includes('"style":"R"') ? state.profile.presentationTime?.slice(0, 16) : ""}""",
        ),
    ),
    # The page is made for those who write bots; people who play need nothing of that, and no words of it.
    "/": (
        ("<title>SimCord Preview</title>", "<title>Tavoliere: the demo</title>"),
        ('aria-label="SimCord preview"', 'aria-label="Demo"'),
        ('aria-hidden="true">S</span>', 'aria-hidden="true">T</span>'),
        (
            "<strong>SimCord</strong><small>Preview</small>",
            "<strong>Tavoliere</strong><small>Simulated Discord</small>",
        ),
        ("<summary>More</summary>", "<summary>End</summary>"),
        ("End preview session", "End the demo"),
    ),
    "/preview.css": (("* { box-sizing: border-box; }", f"{STYLE}* {{ box-sizing: border-box; }}"),),
    "/actions.js": (
        ("Preview session ended.", "The demo is over."),
        ("Action was not completed.", "The bot did not answer."),
        ('return labels[kind || ""] || "Action completed";', 'return "";'),
        ('ready ? "Preview ready" : "Loading preview…"', 'ready ? "" : "Loading…"'),
        ('return "Updating preview…";', 'return "";'),
    ),
}
"""What is changed in the files of the page, as (text, replacement)."""
