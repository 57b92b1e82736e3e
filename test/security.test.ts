import {readFileSync} from 'node:fs';
import {maxHeaderSize} from 'node:http';
import {expect, test} from 'vitest';
import {longestNotification} from '../source/cli/commands/alert-calls.ts';
import {longestRunMs, mostRunning, mostWaiting} from '../source/cli/commands/alert-program.ts';
import {viewerLimits} from '../source/cli/context.ts';
import {longestWorkMs, mostFileBytes} from '../source/cli/files.ts';
import {logFiles, mostLogBytes, mostOutages} from '../source/cli/log.ts';
import {mostConfigRules} from '../source/cli/options/option-table.ts';
import {readOptions} from '../source/cli/options/options.ts';
import {quotedLength} from '../source/client/body.ts';
import {type BodyLimit, createBodyLimits, deepest} from '../source/client/body-limits.ts';
import type {Operation} from '../source/client/errors.ts';
import {mostRefusedMarkets} from '../source/client/failover.ts';
import {errorBodyBytes, errorBodyMs} from '../source/client/http.ts';
import {longestRetryAfterMs, pollRetries} from '../source/client/retry.ts';
import {nameLength} from '../source/client/wire/fields.ts';
import {mostFreeText} from '../source/format/cells.ts';
import {formatExact} from '../source/format/number.ts';
import {mostTapeTrades} from '../source/market/tape.ts';
import {largestPage, mostLevels, mostRangeCandles} from '../source/market/types.ts';
import {hourMs, secondMs} from '../source/market/units.ts';
import {mostWaitingBytes} from '../source/serve/channel-input.ts';
import {resizeRestMs} from '../source/serve/channel-output.ts';
import {keepAliveMs} from '../source/serve/guest.ts';
import {mostHostKeyBytes} from '../source/serve/host-key.ts';
import {mostKeyFileBytes} from '../source/serve/key-ring.ts';
import {limitsFrom} from '../source/serve/limits.ts';
import {mostCommandUnits, mostSize, mostVariableUnits} from '../source/serve/session.ts';
import {mostUnreadBytes, socketBytesPerSecond} from '../source/serve/socket-gate.ts';
import {mostCandles} from '../source/store/candle-feed.ts';
import {recentListMs} from '../source/store/listed.ts';
import {mostEntries, mostReads} from '../source/store/shared-reads.ts';
import {mostCopiedBytes} from '../source/terminal/clipboard.ts';
import {drawnSize} from '../source/terminal/frame-output.ts';
import {mostErrorBytes, mostErrors} from '../source/terminal/lifecycle.ts';
import {keptText} from '../source/terminal/pastes.ts';
import {longestTitle} from '../source/terminal/window-title.ts';
import {mostCharacters} from '../source/view/text-edit.ts';

const page = readFileSync(new URL('../SECURITY.md', import.meta.url), 'utf8');

const amount = (value: number, unit: string): string => `${formatExact(value)} ${unit}`;
const seconds = (ms: number): string => amount(ms / 1000, 's');
const bodyText = ({bytes, values}: BodyLimit): string => `${amount(bytes, 'bytes')}, ${amount(values, 'values')}`;

/** The limit of a list of all markets after one of `length` markets. */
function listLimit(length: number): BodyLimit {
	const limits = createBodyLimits();
	limits.learn('markets', Array(length).fill(0));
	return limits.of('ticker');
}

const pasted = (): number => keptText('x'.repeat(10_000)).length;

const oneMarket: readonly Operation[] = ['info', 'depth', 'trades', 'candles'];

test('SECURITY.md lists every bound as it is', async () => {
	const limits = createBodyLimits();
	const [usual, ...others] = oneMarket.map(operation => bodyText(limits.of(operation)));
	expect(new Set(others)).toEqual(new Set([usual]));
	const {columns, rows} = drawnSize({columns: 65_535, rows: 65_535});
	const {timeoutMs} = await readOptions({}, {});
	const served = limitsFrom({});
	const {connecting, connectingPerAddress, logInsAtOnce, logInsPerSecond} = limitsFrom({viewersPerAddress: 1});
	expect([connecting, connectingPerAddress, logInsAtOnce, logInsPerSecond]).toEqual([3, 1, 3, 1]);
	const [least, most] = [listLimit(0), listLimit(1_000_000)];
	const bounds: ReadonlyArray<readonly [string, string]> = [
		['exchange info; book, trades or candles of one market', usual ?? ''],
		['list of all markets, depending on the longest one so far', `from ${bodyText(least)} to ${bodyText(most)}`],
		['entries in a list of all markets', formatExact(mostLevels)],
		['nesting of an answer', amount(deepest, 'levels')],
		['body of an answer with an error status', `${amount(errorBodyBytes, 'bytes')}, ${seconds(errorBodyMs)}`],
		[
			'trades or candles in an answer; levels on each side of a book',
			`${formatExact(largestPage)} and ${formatExact(mostLevels)}`,
		],
		['headers of an answer', amount(maxHeaderSize, 'bytes')],
		[
			'trades of a tape; candles of a chart; candles of one read',
			[mostTapeTrades, mostCandles, mostRangeCandles].map(count => formatExact(count)).join(', '),
		],
		['name, symbol, state, type or side', amount(nameLength, 'characters')],
		['field of the exchange info, on screens and in tables', amount(mostFreeText, 'characters')],
		['foreign text in an error', amount(quotedLength, 'characters')],
		['text in a prompt; pasted text', `${mostCharacters} and ${amount(pasted(), 'characters')}`],
		['config file and state file', amount(mostFileBytes, 'bytes each')],
		['log', `${logFiles} files of ${amount(mostLogBytes, 'bytes')}`],
		['failures that the log remembers until they end', formatExact(mostOutages)],
		['markets whose refusal by the exchange is remembered', formatExact(mostRefusedMarkets)],
		[
			'messages for standard error that wait until the screen is left',
			`${mostErrors} of ${amount(mostErrorBytes, 'bytes')}`,
		],
		['screen', `${formatExact(columns)}×${rows} cells`],
		['time for an answer (`--timeout`)', seconds(timeoutMs)],
		['wait before a failed poll is repeated', seconds(pollRetries(60_000, true).longestMs)],
		['wait that `Retry-After` can impose before a probe', seconds(longestRetryAfterMs)],
		['time to read the config or state file, or to save the state at the end', seconds(longestWorkMs)],
		['rules in the config file', formatExact(mostConfigRules)],
		['notification of an alert; window title', `${longestNotification} and ${amount(longestTitle, 'characters')}`],
		['text for the clipboard', amount(mostCopiedBytes, 'bytes')],
		[
			'`on-alert` program: run time, number running, number waiting',
			`${seconds(longestRunMs)}, ${mostRunning}, ${mostWaiting}`,
		],
		[
			'viewers of `serve`, in total and per address (`--max-viewers`, `--max-per-address`)',
			`${served.viewers} and ${served.viewersPerAddress}`,
		],
		[
			'connections that have not logged in, in total and per address (3 times and 1 times `--max-per-address`)',
			`${served.connecting} and ${served.connectingPerAddress}`,
		],
		[
			'log-ins from an address, including failed ones, at once and then per second (3 times and 1 times `--max-per-address`)',
			`${served.logInsAtOnce} and ${served.logInsPerSecond}`,
		],
		['refused keys and passwords per connection', formatExact(served.triesPerConnection)],
		['time to log in; then to request the monitor or a command', `${seconds(served.loginMs)} each`],
		[
			"time in which a viewer's terminal sends neither a key nor an answer or, without a terminal, no output is read (`--idle`)",
			amount(served.idleMs / hourMs, 'h'),
		],
		[
			'output to a viewer',
			`${amount(served.bytesPerSecond, 'bytes')} and ${amount(served.framesPerSecond, 'frames per second')}`,
		],
		[
			'input read from a viewer; the part of it that is keys',
			`${formatExact(socketBytesPerSecond)} and ${amount(served.keysPerSecond, 'bytes per second')}`,
		],
		[
			'keys that wait to be processed; answers that wait for the viewer to read them',
			`${formatExact(mostWaitingBytes)} and ${amount(mostUnreadBytes, 'bytes')}`,
		],
		["size changes of a viewer's terminal that are drawn", amount(secondMs / resizeRestMs, 'per second')],
		['screen of a viewer', `${mostSize.columns}×${mostSize.rows} cells`],
		[
			'answers that `serve` keeps for viewers and no viewer follows; trades and candles in them',
			`${mostReads} and ${formatExact(mostEntries)}`,
		],
		[
			'lists of markets that are read because viewers name a market that the last one lacks',
			`1 in ${seconds(recentListMs)}`,
		],
		[
			'alert rules of a viewer; markets that they are judged on',
			`${viewerLimits.rules} and ${viewerLimits.ruleMarkets}`,
		],
		[
			"markets in a viewer's watch; candles in one of its reads",
			`${viewerLimits.watched} and ${formatExact(viewerLimits.candles)}`,
		],
		[
			'command; environment variable',
			`${formatExact(mostCommandUnits)} and ${amount(mostVariableUnits, 'characters')}`,
		],
		['authorized keys file; host key', `${formatExact(mostKeyFileBytes)} and ${amount(mostHostKeyBytes, 'bytes')}`],
		['time until a dead connection is noticed', seconds(4 * keepAliveMs)],
	];
	const listed = page.split('<!-- bounds: checked by a test -->\n')[1]?.split('\n<!-- /bounds -->')[0];
	expect(listed).toBe(
		['| What | At most |', '| --- | --- |', ...bounds.map(row => `| ${row.join(' | ')} |`)].join('\n'),
	);
});
