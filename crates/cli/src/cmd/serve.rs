//! `recount serve`: the web app, on this machine.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::ExitCode;

use app::App;
use server::token::Token;
use server::{Options, Server};

use crate::browser;
use crate::failure::{CommandError, Context as _};

/// Show all sessions in a browser, live: which of them needs you, what each is doing, and all that ever happened
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Serve {
    /// Open it in the browser
    #[arg(long)]
    open: bool,
    /// The port; 0 is any that is free
    #[arg(long, default_value_t = 4747)]
    port: u16,
    /// The address to listen on
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// Allow --bind to an address that other machines reach: sessions then go over the network as they are, unencrypted
    #[arg(long)]
    unencrypted: bool,
    /// Another name by which this machine is called in the browser (may be repeated)
    #[arg(long = "host", value_name = "NAME")]
    names: Vec<String>,
}

const EXAMPLES: &str = "\
Only who has the token in the printed address is let in; it stays the same from start to start.
Nothing is sent anywhere, nothing is changed: here one can only read. Ctrl-C ends it.
Exit codes: 0 ended; 2 wrong usage, or it cannot be started.

Examples:
  recount serve --open
  recount serve --port 0
  ssh -L 4747:127.0.0.1:4747 there recount serve     the sessions of another machine, encrypted";

impl Serve {
    pub(crate) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        if !self.bind.is_loopback() && !self.unencrypted {
            let message = format!("{} can be reached by other machines, and nothing would be encrypted", self.bind);
            let hint = "use a tunnel (ssh -L 4747:127.0.0.1:4747 …), or add --unencrypted";
            return Err(CommandError::usage(message).hint(hint));
        }
        // What is wrong with settings is said before anything is kept.
        app.settings()?;
        let data = app.environment().data.as_ref();
        let data = data.context("there is no folder for the token: neither XDG_DATA_HOME nor HOME is set")?;
        let token_path = data.join("serve.token");
        let token =
            Token::load(&token_path).with_context(|| format!("cannot keep the token: {}", token_path.display()))?;
        let (address, names) = (SocketAddr::new(self.bind, self.port), self.names);
        // All users of this machine can see what programs are started with: a code is good for one use.
        let code = self.open.then(Token::new).transpose().context("there is no randomness for a code")?;
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

/// Where it is reached from here: the address that stands for all of them is none.
fn reachable(address: SocketAddr, names: &[String]) -> String {
    match (address.ip().is_unspecified(), names.first()) {
        (false, _) => address.to_string(),
        (true, Some(name)) => format!("{name}:{}", address.port()),
        (true, None) => SocketAddr::new(Ipv4Addr::LOCALHOST.into(), address.port()).to_string(),
    }
}
