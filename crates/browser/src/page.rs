//! One page: navigation, content and input.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Error, Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::Request;
use crate::keys;
use crate::launch::Browser;

/// Timeout for loading a page.
const LOADING: Duration = Duration::from_secs(60);

/// Scrolls an element into view, and returns its centre once it has stayed in place for some frames.
const STILL: &str = "async (selector) => {
    const frame = () => new Promise(requestAnimationFrame);
    let last = '';
    for (let still = 0, frames = 0; still < 4 && frames < 300; frames++) {
        const element = document.querySelector(selector);
        if (!element) return null;
        const { x, y, width, height } = element.getBoundingClientRect();
        if (!width || !height) return [];
        if (y < 0 || y + height > innerHeight) element.scrollIntoView({ block: 'center', behavior: 'instant' });
        const place = [x + width / 2, y + height / 2];
        still = String(place) === last ? still + 1 : 0;
        last = String(place);
        if (still === 3) return place;
        await frame();
    }
    throw new Error(`it does not stay in its place: ${selector}`);
}";

/// A page of a browser.
#[derive(Debug)]
pub struct Page<'a> {
    browser: &'a Browser,
    session: String,
}

/// The size of a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Metrics {
    /// Nodes of the document: elements, texts and all others.
    pub nodes: f64,
    /// The memory of its scripts, in bytes.
    pub heap_bytes: f64,
}

impl<'a> Page<'a> {
    pub(crate) fn new(browser: &'a Browser) -> Result<Self> {
        let mut pipe = browser.pipe.borrow_mut();
        let target = pipe.call(None, "Target.createTarget", &json!({"url": "about:blank"}))?;
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let attached = pipe.call(None, "Target.attachToTarget", &attach)?;
        let session = attached["sessionId"].as_str().context("no session for a page")?.to_owned();
        drop(pipe);
        let page = Self { browser, session };
        for domain in ["Page", "Runtime", "Network", "Log", "Audits", "Performance"] {
            page.call(&format!("{domain}.enable"), &json!({}))?;
        }
        // Without a window, nothing would have the focus, and the clipboard would be blocked.
        page.call("Emulation.setFocusEmulationEnabled", &json!({"enabled": true}))?;
        let clipboard = json!({"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]});
        browser.pipe.borrow_mut().call(None, "Browser.grantPermissions", &clipboard)?;
        Ok(page)
    }

    /// Calls any command of the browser's protocol.
    pub fn call(&self, method: &str, parameters: &Value) -> Result<Value> {
        self.browser.pipe.borrow_mut().call(Some(&self.session), method, parameters)
    }

    /// Opens a URL and waits until it is loaded.
    pub fn go(&self, url: &str) -> Result<()> {
        let answer = self.call("Page.navigate", &json!({"url": url}))?;
        if let Some(error) = answer["errorText"].as_str() {
            bail!("{url}: {error}");
        }
        self.wait_for("document.readyState === 'complete'", LOADING)
    }

    /// The value of an expression; promises are awaited.
    pub fn evaluate(&self, script: &str) -> Result<Value> {
        let parameters =
            json!({"expression": script, "awaitPromise": true, "returnByValue": true, "userGesture": true});
        let mut answer = self.call("Runtime.evaluate", &parameters)?;
        if let Some(details) = answer.get("exceptionDetails") {
            let what = details["exception"]["description"].as_str().or(details["text"].as_str());
            bail!("{}\nin: {script}", what.unwrap_or("an exception"));
        }
        Ok(answer.pointer_mut("/result/value").map(Value::take).unwrap_or_default())
    }

    /// Waits until an expression is true.
    pub fn wait_for(&self, condition: &str, patience: Duration) -> Result<()> {
        let until = Instant::now() + patience;
        // A page that is being left cannot answer; the next one can.
        let is_leaving = |error: &Error| format!("{error:#}").contains("navigated or closed");
        loop {
            match self.evaluate(&format!("Boolean({condition})")) {
                Ok(answer) if answer == true => break,
                Err(error) if !is_leaving(&error) => return Err(error),
                Ok(_) | Err(_) => {}
            }
            if Instant::now() > until {
                bail!("not true after {patience:?}: {condition}");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// Presses and releases a key: `j`, `?`, `Enter`, `Shift+Tab`.
    pub fn press(&self, key: &str) -> Result<()> {
        for event in keys::events(key)? {
            self.call("Input.dispatchKeyEvent", &event)?;
        }
        Ok(())
    }

    /// Types a text into the focused element.
    pub fn type_text(&self, text: &str) -> Result<()> {
        self.call("Input.insertText", &json!({"text": text})).map(drop)
    }

    /// Clicks the centre of the first matching element, once it no longer moves.
    pub fn click(&self, selector: &str) -> Result<()> {
        let place = self.evaluate(&format!("({STILL})({})", Value::from(selector)))?;
        let (x, y) = match place.as_array().map(Vec::as_slice) {
            Some([x, y]) => (x, y),
            Some(_) => bail!("not visible: {selector}"),
            None => bail!("no such element: {selector}"),
        };
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            let event = json!({"type": kind, "x": x, "y": y, "button": button, "clickCount": 1});
            self.call("Input.dispatchMouseEvent", &event)?;
        }
        Ok(())
    }

    /// The content of the clipboard.
    pub fn clipboard(&self) -> Result<String> {
        let text = self.evaluate("navigator.clipboard.readText()")?;
        Ok(text.as_str().unwrap_or_default().to_owned())
    }

    /// Writes a screenshot as a PNG file.
    pub fn screenshot(&self, path: &Path) -> Result<()> {
        let shot = self.call("Page.captureScreenshot", &json!({"format": "png"}))?;
        let bytes = STANDARD.decode(shot["data"].as_str().unwrap_or_default())?;
        fs::write(path, bytes).with_context(|| path.display().to_string())
    }

    /// Sets the size of the viewport, in CSS pixels.
    pub fn set_viewport(&self, width: u32, height: u32) -> Result<()> {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", &size).map(drop)
    }

    /// Emulates a preference for dark or light colours.
    pub fn emulate_dark(&self, dark: bool) -> Result<()> {
        let scheme = if dark { "dark" } else { "light" };
        let media = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.call("Emulation.setEmulatedMedia", &media).map(drop)
    }

    /// Enables or disables scripts for pages loaded from now on.
    pub fn set_script_enabled(&self, enabled: bool) -> Result<()> {
        self.call("Emulation.setScriptExecutionDisabled", &json!({"value": !enabled})).map(drop)
    }

    /// Exceptions, console errors and refused loads.
    pub fn console_errors(&self) -> Vec<String> {
        self.browser.pipe.borrow_mut().seen(&self.session).errors.clone()
    }

    /// Violations of the page's own security policy.
    pub fn policy_reports(&self) -> Vec<String> {
        self.browser.pipe.borrow_mut().seen(&self.session).violations.clone()
    }

    /// All requests so far, including refused ones.
    pub fn requests(&self) -> Vec<Request> {
        self.browser.pipe.borrow_mut().seen(&self.session).requests.clone()
    }

    /// The size of the page after garbage collection.
    pub fn metrics(&self) -> Result<Metrics> {
        self.call("HeapProfiler.collectGarbage", &json!({}))?;
        let answer = self.call("Performance.getMetrics", &json!({}))?;
        let metrics = answer["metrics"].as_array().context("no metrics")?;
        let value = |name: &str| {
            let metric = metrics.iter().find(|metric| metric["name"] == name);
            metric.and_then(|metric| metric["value"].as_f64()).with_context(|| format!("no metric {name}"))
        };
        Ok(Metrics { nodes: value("Nodes")?, heap_bytes: value("JSHeapUsedSize")? })
    }
}
