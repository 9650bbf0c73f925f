//! The texts of a hostile session. Each tries to set `window.__pwned`, or to load `http://127.0.0.1:9/x`.

/// The script that must not run.
const RUN: &str = "window.__pwned=true";
/// The URL that must not be loaded.
const AWAY: &str = "http://127.0.0.1:9/x";

/// Payloads; `RUN` and `AWAY` stand for the attack.
const BASE: &[&str] = &[
    // Elements that run scripts.
    "<script>RUN</script>",
    "<script src=AWAY></script>",
    "<SCRIPT/SRC='AWAY'></SCRIPT>",
    "<script type=module>RUN</script>",
    "<script><!--<script>RUN//--></script>",
    "</script><script>RUN</script>",
    "</script ><script >RUN</script >",
    "<scr<script>ipt>RUN</scr</script>ipt>",
    "<img src=x onerror=RUN>",
    "<img src=AWAY>",
    "<img/src='x'/onerror='RUN'>",
    "<img srcset='AWAY 1x'>",
    "<svg onload=RUN>",
    "<svg><script>RUN</script></svg>",
    "<svg><script href=AWAY /></svg>",
    "<svg><image href=AWAY /></svg>",
    "<svg><use href='AWAY#a'/></svg>",
    "<svg><animate onbegin=RUN attributeName=x dur=1s>",
    "<svg><foreignObject><iframe src=AWAY></foreignObject></svg>",
    "<math><mi xlink:href='javascript:RUN'>x</mi></math>",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=RUN>",
    "<iframe src='javascript:RUN'></iframe>",
    "<iframe srcdoc='<script>parent.__pwned=true</script>'></iframe>",
    "<iframe src=AWAY></iframe>",
    "<object data=AWAY></object>",
    "<embed src=AWAY>",
    "<video src=AWAY onerror=RUN autoplay></video>",
    "<audio src=AWAY onerror=RUN></audio>",
    "<video poster=AWAY></video>",
    "<body onload=RUN>",
    "<details open ontoggle=RUN>",
    "<input autofocus onfocus=RUN>",
    "<select autofocus onfocus=RUN></select>",
    "<marquee onstart=RUN>",
    "<form action=AWAY><button>press</button></form>",
    "<button formaction='javascript:RUN' form=f>press</button>",
    "<a href='javascript:RUN'>press</a>",
    "<a href=AWAY ping=AWAY>press</a>",
    "<base href=AWAY>",
    "<meta http-equiv=refresh content='0;url=AWAY'>",
    "<meta http-equiv='Content-Security-Policy' content=\"default-src *\">",
    "<link rel=stylesheet href=AWAY>",
    "<link rel=prefetch href=AWAY>",
    "<link rel=preload as=script href=AWAY>",
    "<template><script>RUN</script></template>",
    "<xmp><img src=x onerror=RUN></xmp>",
    "<plaintext>",
    // Breaking out of a text.
    "\"><script>RUN</script>",
    "'><script>RUN</script>",
    "\" onmouseover=\"RUN\" x=\"",
    "' onfocus='RUN' autofocus='",
    "` onerror=RUN `",
    "x onmouseover=RUN autofocus tabindex=1",
    "</title><script>RUN</script>",
    "</textarea><script>RUN</script>",
    "</style><script>RUN</script>",
    "</noscript><script>RUN</script>",
    "</noscript><img src=x onerror=RUN>",
    "</template><script>RUN</script>",
    "</code></pre><script>RUN</script>",
    "</summary></details><script>RUN</script>",
    "</svg></figure><script>RUN</script>",
    "</dialog></main></body></html><script>RUN</script>",
    "--><script>RUN</script>",
    "--!><script>RUN</script>",
    "<!--><script>RUN</script>-->",
    "<!-- <script>",
    "<![CDATA[<script>RUN</script>]]>",
    "]]><script>RUN</script>",
    "<?xml version='1.0'?><script>RUN</script>",
    "<!DOCTYPE html><script>RUN</script>",
    // Inside JSON and scripts.
    "\"};RUN;//",
    "\\\"};RUN;//",
    "\\u003cscript\\u003eRUN\\u003c/script\\u003e",
    "\u{2028}RUN\u{2029}",
    "{\"__proto__\":{\"__pwned\":true}}",
    "__proto__",
    "constructor",
    "${RUN}",
    "{{constructor.constructor('RUN')()}}",
    "#{RUN}",
    // Already escaped once.
    "&lt;script&gt;RUN&lt;/script&gt;",
    "&#60;script&#62;RUN&#60;/script&#62;",
    "&amp;lt;script&amp;gt;RUN",
    "&quot;&gt;&lt;img src=x onerror=RUN&gt;",
    "%3Cscript%3ERUN%3C/script%3E",
    "＜script＞RUN＜/script＞",
    "<\u{0}script>RUN</script>",
    "<img src=x one\u{0}rror=RUN>",
    // Style.
    "<style>body{background:url(AWAY)}</style>",
    "<style>@import 'AWAY';</style>",
    "<div style='background:url(AWAY)'>x</div>",
    "<div style='position:fixed;inset:0;background:red'>x</div>",
    "}body{background:url(AWAY)}",
    "*/body{background:url(AWAY)}/*",
    "red;background:url(AWAY)",
    "\");background:url(AWAY);(\"",
    // Addresses.
    "javascript:RUN",
    "JaVaScRiPt:RUN",
    "java\tscript:RUN",
    "java\nscript:RUN",
    "\u{1}javascript:RUN",
    " javascript:RUN",
    "javascript&colon;RUN",
    "javascript://%0aRUN",
    "data:text/html,<script>parent.__pwned=true</script>",
    "data:text/html;base64,PHNjcmlwdD5wYXJlbnQuX19wd25lZD10cnVlPC9zY3JpcHQ+",
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='RUN'/>",
    "vbscript:RUN",
    "view-source:AWAY",
    "file:///etc/passwd",
    "blob:AWAY",
    "//127.0.0.1:9/x",
    "https://a\"onmouseover=RUN",
    "http://a/\"><script>RUN</script>",
    "mailto:a@b?body=<script>RUN</script>",
    // Markdown.
    "[press](javascript:RUN)",
    "[press](JAVASCRIPT:RUN)",
    "[press]( javascript:RUN )",
    "[press](java&#115;cript:RUN)",
    "[press](javascript&#58;RUN)",
    "[press](<javascript:RUN>)",
    "[press](data:text/html,<script>RUN</script>)",
    "[press](vbscript:RUN \"title\")",
    "[press](http://a \"\" onmouseover=\"RUN\")",
    "[press](http://a '\"><img src=x onerror=RUN>')",
    "[press][ref]\n\n[ref]: javascript:RUN",
    "[<img src=x onerror=RUN>](http://a)",
    "![x](AWAY)",
    "![x](javascript:RUN)",
    "![\" onerror=\"RUN](AWAY)",
    "![x](data:image/svg+xml;base64,PHN2Zy8+)",
    "<javascript:RUN>",
    "<http://a\" onmouseover=\"RUN>",
    "# <script>RUN</script>",
    "| a | b |\n|---|---|\n| <img src=x onerror=RUN> | <script>RUN</script> |",
    "```<img src=x onerror=RUN>\nx\n```",
    "```\" onmouseover=\"RUN\nx\n```",
    "```js onload=RUN\n</code></pre><script>RUN</script>\n```",
    "`</code><script>RUN</script>`",
    "[^1]\n\n[^1]: <script>RUN</script>",
    "[^\"><script>RUN</script>]\n\n[^\"><script>RUN</script>]: note",
    "- [x] <input autofocus onfocus=RUN>",
    "> <blockquote><script>RUN</script>",
    "***__~~<b onclick=RUN>~~__***",
    "[[[[[[[[[[[[[[[[[[[[((((((((((",
    "*a_b*c_d**e__f**g__h`i``j```k",
    "AWAY",
    "www.127.0.0.1:9/x",
    // Terminal escapes, and changes of text direction.
    "\u{1b}]8;;javascript:RUN\u{7}press\u{1b}]8;;\u{7}",
    "\u{1b}]0;<script>RUN</script>\u{7}",
    "\u{1b}[31m<script>RUN</script>\u{1b}[0m",
    "\u{1b}[38;2;\"><script>RUN</script>m",
    "\u{1b}[38;5;999m\u{1b}[99999999999mx",
    "\u{9b}31m<img src=x onerror=RUN>",
    "\u{1b}P<script>RUN</script>\u{1b}\\",
    "\u{1b}[<script>RUN</script>",
    "\u{202e}>tpircs/<RUN>tpircs<",
    "\u{2066}\u{2067}\u{202a}<script>RUN</script>",
    "a\r<script>RUN</script>\u{8}\u{8}",
    "\u{feff}<script>RUN</script>",
    "<s\u{301}cript>RUN</script>",
    // Tags that the program itself writes.
    "<command-name>/x\"><script>RUN</script></command-name>",
    "<bash-stdout><script>RUN</script></bash-stdout>",
    "<system-reminder><script>RUN</script></system-reminder>",
    "<task-notification><summary><script>RUN</script></summary></task-notification>",
    "<persisted-output>AWAY</persisted-output>",
    "<tool_use_error><script>RUN</script></tool_use_error>",
    "Exit code \"><script>RUN</script>\nx",
];

/// Contexts of a payload.
const AROUND: &[&str] = &["{}", "a **bold** `word` {} and more", "[{}](http://a.test)", "```sh\n{}\n```"];

/// All payloads in all contexts, as prompts and replies contain them: several hundred.
pub(crate) fn everywhere() -> Vec<String> {
    let all = AROUND.iter().flat_map(|around| all().into_iter().map(move |payload| around.replace("{}", &payload)));
    let cell = format!("| {} |\n", all_in_one());
    let table = format!("| a |\n|---|\n{}", cell.repeat(200));
    let deep = format!("{}<script>{RUN}</script>", "> - ".repeat(300));
    all.chain([table, deep]).collect()
}

/// Each once.
pub(crate) fn all() -> Vec<String> {
    BASE.iter().map(|payload| payload.replace("RUN", RUN).replace("AWAY", AWAY)).collect()
}

/// Breaks out of most contexts at once.
pub(crate) fn all_in_one() -> String {
    format!(
        "x'\"`></title></style></textarea></noscript></template></script></svg>--><img src=x onerror={RUN}><script>{RUN}</script>"
    )
}
