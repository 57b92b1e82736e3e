/** The examples below a command's help. */
export const examples = (...lines: readonly string[]) => `\nExamples:\n${lines.map(line => `  ${line}`).join('\n')}\n`;

export const mainHelp = `
With no exchange named anywhere, the embedded demo exchange is used and everything shown says DEMO.

Examples:
  tapewatch                                        the monitor, on the demo exchange
  tapewatch BTCUSDT --base-url https://api.example.com --legacy-base-url https://old.example.com
  tapewatch watch BTC/USDT ETH/USDT | tee prices.log
  tapewatch ticker BTCUSDT --json --exchange mine

Configuration, strongest first: flags, environment, $XDG_CONFIG_HOME/tapewatch/config.toml (default ~/.config), defaults.
An exchange's addresses are taken from the first of these that names an exchange, never put together from two.
  environment   TAPEWATCH_BASE_URL TAPEWATCH_LEGACY_BASE_URL TAPEWATCH_EXCHANGE TAPEWATCH_INTERFACE TAPEWATCH_TIMEOUT
                TAPEWATCH_RATE TAPEWATCH_MARKET TAPEWATCH_PERIOD TAPEWATCH_COLOR TAPEWATCH_PALETTE TAPEWATCH_ASCII
                HTTPS_PROXY HTTP_PROXY NO_PROXY NO_COLOR FORCE_COLOR
  config.toml   exchange = "mine"                  the settings above in lower case with hyphens, and two tables
                market = "BTCUSDT"
                [exchanges.mine]                   one table for each exchange; one address is enough
                base-url = "https://api.example.com"
                legacy-base-url = "https://old.example.com"
                [intervals]                        seconds between polls
                depth = 1                          and trades, tickers, candles, markets

Exit status: 0 done, 1 the exchange or the network failed, 2 usage or configuration, 128 + n on signal n.
`;
