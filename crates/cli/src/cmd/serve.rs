//! `recount serve`: serves the web app on this machine.

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use app::App;
use server::access::{Access, forwarding_page};
use server::token::{Token, TokenError};
use server::{Options, Server};

use crate::browser;
use crate::failure::{CommandError, Context as _};

/// Serve the board and all sessions to a browser, live
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Serve {
    /// Open in the browser
    #[arg(long)]
    open: bool,
    /// Port to listen on; 0 chooses a free one
    #[arg(long, default_value_t = 4747)]
    port: u16,
    /// Address to listen on
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// Allow --bind to an address that other machines can reach; sessions then cross the network unencrypted
    #[arg(long)]
    unencrypted: bool,
    /// Another host name that browsers use for this machine (may be repeated)
    #[arg(long = "host", value_name = "NAME")]
    names: Vec<String>,
    /// Keep browsers signed in when the server ends
    #[arg(long)]
    stay_signed_in: bool,
    /// Replace the token first, and sign out all browsers, also those of servers that are running
    #[arg(long)]
    rotate: bool,
}

const EXAMPLES: &str = "\
Access requires the token in the printed address, which stays the same across restarts. A browser
that has opened it stays signed in until the server ends, for 30 days at the most.
The app is read-only and sends nothing to other machines. Press Ctrl-C to stop it.
Exit codes: 0 stopped; 2 wrong usage, or the server cannot start.

Examples:
  recount serve --open
  recount serve --port 0
  ssh -L 4747:127.0.0.1:4747 there recount serve     show another machine's sessions, encrypted";

impl Serve {
    pub(crate) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        if !self.bind.is_loopback() && !self.unencrypted {
            let message = format!("{} is reachable from other machines, without encryption", self.bind);
            let hint = "use a tunnel (ssh -L 4747:127.0.0.1:4747 …), or add --unencrypted";
            return Err(CommandError::usage(message).hint(hint));
        }
        // Reports errors in the settings before anything is written.
        app.settings()?;
        let data = app.environment().data.as_ref();
        let data = data.context("there is no folder for the token: neither XDG_DATA_HOME nor HOME is set")?;
        app.close_kept_folders();
        app.warn_of_exposed_files();
        if self.rotate {
            sign_out_all(data)?;
        }
        let mut access = Access::with_token_of(&data.join(TOKEN)).map_err(|error| refused(&error))?;
        if self.stay_signed_in {
            let browsers = data.join(format!("{BROWSERS}{}", self.port));
            let cannot = || format!("cannot read {}", browsers.display());
            access = access.remembering(&browsers).with_context(cannot)?;
        }
        let code = self.open.then(Token::new).transpose().context("cannot generate a random code")?;
        let token = access.token().clone();
        let server = Server::bind(Options {
            app: app.clone(),
            address: SocketAddr::new(self.bind, self.port),
            names: self.names.clone(),
            access: access.with_code(code.clone()),
        })?;
        let place = reachable(server.address(), &self.names);
        anstream::println!("http://{place}/?token={}", token.as_str());
        let page = code.map(|code| open(app, &format!("http://{place}/?code={}", code.as_str()))).transpose()?;
        let outcome = server.run();
        if let Some(page) = page {
            // The next run removes it otherwise.
            let _ = fs::remove_file(page);
        }
        Ok(outcome.map(|()| ExitCode::SUCCESS)?)
    }
}

/// The file of the token, in the data folder.
const TOKEN: &str = "serve.token";

/// The beginning of the names of the files that remember browsers, one for each port.
const BROWSERS: &str = "serve.browsers-";

/// Replaces the token and forgets all browsers. Servers that are running notice it.
fn sign_out_all(data: &Path) -> Result<(), CommandError> {
    Token::rotate(&data.join(TOKEN)).map_err(|error| refused(&error))?;
    for entry in data.read_dir().with_context(|| format!("cannot list {}", data.display()))? {
        let path = entry?.path();
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        if name.starts_with(BROWSERS) {
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
    }
    Ok(())
}

fn refused(error: &TokenError) -> CommandError {
    let hint = match error {
        TokenError::Exposed { .. } => {
            Some("a new one is made, and all browsers are signed out, by: recount serve --rotate")
        }
        TokenError::File { .. } => None,
    };
    CommandError::io(error.to_string()).maybe_hint(hint)
}

/// Opens an address in the browser, through a file that only this user can read. Returns the file.
fn open(app: &App, address: &str) -> Result<PathBuf, CommandError> {
    let (path, mut file) = app.new_page("open")?;
    file.write_all(forwarding_page(address).as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
    browser::start(&path)?;
    Ok(path)
}

/// Returns the address to open on this machine; the unspecified address cannot be opened.
fn reachable(address: SocketAddr, names: &[String]) -> String {
    match (address.ip().is_unspecified(), names.first()) {
        (false, _) => address.to_string(),
        (true, Some(name)) => format!("{name}:{}", address.port()),
        (true, None) => SocketAddr::new(Ipv4Addr::LOCALHOST.into(), address.port()).to_string(),
    }
}
