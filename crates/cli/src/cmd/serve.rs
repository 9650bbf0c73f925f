//! `recount serve`: serves the web app on this machine.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::ExitCode;

use app::App;
use server::token::Token;
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
}

const EXAMPLES: &str = "\
Access requires the token in the printed address, which stays the same across restarts.
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
        let token_path = data.join("serve.token");
        let token =
            Token::load(&token_path).with_context(|| format!("cannot store the token: {}", token_path.display()))?;
        let (address, names) = (SocketAddr::new(self.bind, self.port), self.names);
        // All users of this machine can see the arguments of a process, so the browser gets a code that works once.
        let code = self.open.then(Token::new).transpose().context("cannot generate a random code")?;
        let server = Server::bind(Options {
            app: app.clone(),
            address,
            names: names.clone(),
            token: token.clone(),
            code: code.clone(),
        })?;
        let place = reachable(server.address(), &names);
        anstream::println!("http://{place}/?token={}", token.as_str());
        if let Some(code) = code {
            browser::start(Path::new(&format!("http://{place}/?code={}", code.as_str())))?;
        }
        server.run()?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Returns the address to open on this machine; the unspecified address cannot be opened.
fn reachable(address: SocketAddr, names: &[String]) -> String {
    match (address.ip().is_unspecified(), names.first()) {
        (false, _) => address.to_string(),
        (true, Some(name)) => format!("{name}:{}", address.port()),
        (true, None) => SocketAddr::new(Ipv4Addr::LOCALHOST.into(), address.port()).to_string(),
    }
}
