/** `TPEW` as a number: what makes an SQLite file a recording. */
export const applicationId = 0x54_50_45_57;
/** Version of the tables below. A recording with a higher one was made by a newer program. */
export const schemaVersion = 1;

/** Maximum sessions of a recording: one every ten minutes for a month. */
export const mostSessions = 5000;
/** A list of the exchange has at most 5,000: more come when it lists others. */
export const mostSymbols = 10_000;

/**
 * The tables of a recording. Times are epoch ms, prices and quantities REAL. Of a trade, book, ticker, candle or market, only what
 * is new or has changed since the answer before is written.
 */
export const tables = `
CREATE TABLE recording (
	exchange TEXT NOT NULL,
	-- Without credentials.
	base_url TEXT,
	legacy_base_url TEXT
);
-- From the start of a recorder to its last write. A clock that is set back begins another one.
CREATE TABLE session (
	id INTEGER PRIMARY KEY,
	from_time INTEGER NOT NULL,
	to_time INTEGER NOT NULL,
	-- Ms that the exchange's clock was ahead.
	clock_skew INTEGER,
	-- Tapewatch's version, and what was recorded with which intervals, as JSON.
	version TEXT NOT NULL,
	options TEXT NOT NULL,
	-- Of the recorder that writes it; NULL when it has ended.
	host TEXT,
	process INTEGER
);
CREATE TABLE symbol (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE answer (
	id INTEGER PRIMARY KEY,
	session INTEGER NOT NULL,
	operation TEXT NOT NULL,
	symbol INTEGER,
	-- Of candles, in minutes.
	period INTEGER,
	interface TEXT NOT NULL,
	-- When it was known. If the exchange answered earlier, as from a cache, or it was kept back, notes have receivedAt.
	received_at INTEGER NOT NULL,
	-- Ms from the request to its end.
	took INTEGER NOT NULL,
	server_time INTEGER,
	-- Entries that could not be read.
	dropped INTEGER NOT NULL,
	-- Of a book: the best prices.
	bid REAL,
	ask REAL,
	-- Of a failure: its kind.
	error TEXT,
	-- JSON: of a failure its words, of an answer what is rarely there.
	notes TEXT
);
CREATE INDEX answer_depth ON answer (symbol) WHERE operation = 'depth';
CREATE INDEX answer_trades ON answer (symbol) WHERE operation = 'trades';
CREATE INDEX answer_ticker ON answer (symbol) WHERE operation = 'ticker';
CREATE INDEX answer_rare ON answer (operation, id) WHERE operation NOT IN ('depth', 'trades', 'ticker');
CREATE INDEX answer_error ON answer (id) WHERE error IS NOT NULL;
-- The new trades of one answer; the view trades has a row for each. Lists are JSON, oldest first. Trades in a row of one time, price
-- and side are one fill, as an order that meets several others is.
CREATE TABLE trade (
	answer INTEGER PRIMARY KEY,
	symbol INTEGER NOT NULL,
	-- Of the first and of the last trade.
	from_time INTEGER NOT NULL,
	to_time INTEGER NOT NULL,
	-- Without ids, each trade's is the one before plus 1.
	first_id TEXT NOT NULL,
	ids TEXT,
	-- What identifies a trade where an interface repeats ids.
	keys TEXT,
	-- Of each fill: ms since the one before.
	times TEXT NOT NULL,
	-- Of each fill: its price times the scale, minus that of the one before; without a scale, the price itself.
	price_scale REAL,
	prices TEXT NOT NULL,
	-- Of each fill: the quantity times the scale, or a list of several.
	quantity_scale REAL,
	quantities TEXT NOT NULL,
	-- Of each fill: b buy, s sell, - unknown.
	sides TEXT NOT NULL,
	-- Of each fill the exchange's word, where one is neither buy nor sell.
	side_texts TEXT,
	-- Places, from 0, of trades before which others may be missing.
	gaps TEXT,
	-- Of trades of answers before: before these, none is missing any more. What identifies them: as keys, else their ids.
	closed_gaps TEXT,
	-- 1: the exchange had set its clock, so that no earlier trade can be put in order with these.
	starts_over INTEGER
);
-- The books of two minutes: the whole first one, and of each other what changed. For levels see book-codec.ts.
CREATE TABLE book (
	answer INTEGER PRIMARY KEY,
	symbol INTEGER NOT NULL,
	-- NULL: levels are deflated, without a header. Else they are plain, and go on from that answer's row.
	begins_at INTEGER,
	levels BLOB NOT NULL
);
CREATE INDEX book_symbol ON book (symbol, answer);
-- The whole ticker of a market whenever it changed; without a state, the market had none any more. The first answer of a session has
-- all of them.
CREATE TABLE ticker (
	answer INTEGER NOT NULL,
	symbol INTEGER NOT NULL,
	last REAL,
	change REAL,
	change_percent REAL,
	open REAL,
	high REAL,
	low REAL,
	bid REAL,
	bid_quantity REAL,
	ask REAL,
	ask_quantity REAL,
	volume REAL,
	quote_volume REAL,
	state TEXT,
	type TEXT,
	PRIMARY KEY (answer, symbol)
) WITHOUT ROWID;
CREATE INDEX ticker_symbol ON ticker (symbol, answer);
-- A candle whenever it changed in a session: the newest answer has it as it became.
CREATE TABLE candle (
	symbol INTEGER NOT NULL,
	period INTEGER NOT NULL,
	time INTEGER NOT NULL,
	answer INTEGER NOT NULL,
	open REAL NOT NULL,
	high REAL NOT NULL,
	low REAL NOT NULL,
	close REAL NOT NULL,
	volume REAL NOT NULL,
	PRIMARY KEY (symbol, period, time, answer)
) WITHOUT ROWID;
CREATE INDEX candle_answer ON candle (answer);
-- A listed market whenever its entry changed; without a state, it was listed no more. The first answer of a session has all of them.
CREATE TABLE market (
	answer INTEGER NOT NULL,
	symbol INTEGER NOT NULL,
	place INTEGER NOT NULL,
	market_id TEXT,
	base TEXT,
	quote TEXT,
	state TEXT,
	type TEXT,
	unreadable INTEGER,
	PRIMARY KEY (symbol, answer)
) WITHOUT ROWID;
-- The texts of numbers with more digits than a REAL holds, of the first answer that had them.
CREATE TABLE sent_number (
	answer INTEGER NOT NULL,
	value REAL NOT NULL,
	text TEXT NOT NULL,
	PRIMARY KEY (answer, value, text)
) WITHOUT ROWID;
-- Calls of alert rules while it was recorded.
CREATE TABLE alert (
	time INTEGER NOT NULL,
	symbol INTEGER NOT NULL,
	rule TEXT NOT NULL,
	message TEXT NOT NULL
);
`;

/** More time than this between two answers for a market is a gap, unless it is polled that rarely. */
export const leastGapMs = 10_000;
/** A gap is also longer than this many poll intervals. */
export const missedIntervals = 3;

/** SQL: the most ms to the answer before, of an answer to `operation` with its session, of which it is known what happened. */
export const mostMsBefore = (operation: string): string =>
	`max(${leastGapMs}, ${missedIntervals} * coalesce(options ->> ('$.intervalsMs.' || ${operation}), 0))`;

/** More than 10 s, and more than three poll intervals, between two answers with data of a market. */
export const formerGapsView = `CREATE VIEW gaps (market, operation, from_time, to_time, reason) AS
SELECT symbol.name, operation, before, received_at, coalesce(
	(SELECT error FROM answer AS failed
		WHERE failed.error IS NOT NULL AND failed.id BETWEEN before_id AND next.id
		AND failed.operation = next.operation AND failed.symbol = next.symbol LIMIT 1),
	'not recorded')
FROM (
	SELECT *, lag(received_at) OVER channel AS before, lag(id) OVER channel AS before_id
	FROM answer WHERE operation IN ('depth', 'trades') AND symbol IS NOT NULL AND error IS NULL
	WINDOW channel AS (PARTITION BY operation, symbol ORDER BY id)
) AS next
JOIN symbol ON symbol.id = next.symbol
JOIN session ON session.id = next.session
WHERE received_at - before > ${leastGapMs} AND received_at - before > ${mostMsBefore('operation')}`;

/** Those, also up to the end of a session; and between two trades, where others may be missing that no later answer had. */
export const gapsView = `${formerGapsView}
UNION ALL
SELECT symbol.name, operation, received_at, to_time, coalesce(
	(SELECT error FROM answer AS failed
		WHERE failed.error IS NOT NULL AND failed.id > last.id
		AND failed.operation = last.operation AND failed.symbol = last.symbol LIMIT 1),
	'not recorded')
FROM (
	SELECT *, max(id) FROM answer
	WHERE operation IN ('depth', 'trades') AND symbol IS NOT NULL AND error IS NULL GROUP BY operation, symbol
) AS last
JOIN symbol ON symbol.id = last.symbol
JOIN session ON session.id = last.session
WHERE to_time - received_at > ${leastGapMs} AND to_time - received_at > ${mostMsBefore('operation')}
UNION ALL
SELECT symbol.name, operation, gap.value ->> 1, gap.value ->> 2, gap.value ->> 3
FROM answer JOIN json_each(notes, '$.missing') AS gap JOIN symbol ON symbol.id = answer.symbol
WHERE operation = 'trades' AND error IS NULL AND NOT EXISTS (
	SELECT 1 FROM (
		SELECT trade.answer, trade.symbol, interface, key.value AS key
		FROM trade JOIN answer ON answer.id = trade.answer JOIN json_each(closed_gaps) AS key
	) AS closed
	WHERE closed.key = gap.value ->> 0 AND closed.symbol = answer.symbol AND closed.interface = answer.interface
	AND closed.answer > answer.id)`;

/** What people query: no list and no change since the row before is left to decode. */
export const views = `
CREATE VIEW trades (market, time, id, price, quantity, side, interface, answer) AS
SELECT symbol.name, time,
	CASE WHEN ids IS NULL
		THEN CAST(first_id + row_number() OVER page - 1 AS TEXT)
		ELSE ids ->> (row_number() OVER page - 1) END,
	price, each.value / coalesce(quantity_scale, 1.0), side,
	(SELECT interface FROM answer AS page WHERE page.id = answer), answer
FROM (
	SELECT trade.*, fill.key AS place,
		from_time + sum(fill.value) OVER fills AS time,
		CASE WHEN price_scale IS NULL
			THEN CAST(prices ->> fill.key AS REAL)
			ELSE sum(prices ->> fill.key) OVER fills / price_scale END AS price,
		CASE substr(sides, fill.key + 1, 1) WHEN 'b' THEN 'buy' WHEN 's' THEN 'sell' END AS side,
		quantities -> fill.key AS sizes
	FROM trade JOIN json_each(times) AS fill
	WINDOW fills AS (PARTITION BY trade.answer ORDER BY fill.key)
)
JOIN json_each(CASE json_type(sizes) WHEN 'array' THEN sizes ELSE '[' || sizes || ']' END) AS each
JOIN symbol ON symbol.id = symbol
WINDOW page AS (PARTITION BY answer ORDER BY place, each.key);

CREATE VIEW best (market, time, bid, ask, answer) AS
SELECT symbol.name, received_at, bid, ask, answer.id
FROM answer JOIN symbol ON symbol.id = answer.symbol
WHERE operation = 'depth' AND error IS NULL;

CREATE VIEW candles (market, period, time, open, high, low, close, volume) AS
SELECT symbol.name, period, time, open, high, low, close, volume
FROM (SELECT *, max(answer) FROM candle GROUP BY symbol, period, time) JOIN symbol ON symbol.id = symbol;

${gapsView};
`;
