import {readFileSync} from 'node:fs';
import {maxHeaderSize} from 'node:http';
import {expect, test} from 'vitest';
import {longestNotification} from '../source/cli/commands/alert-calls.ts';
import {longestRunMs, mostRunning, mostWaiting} from '../source/cli/commands/alert-program.ts';
import {viewerLimits} from '../source/cli/context.ts';
import {longestWorkMs, mostFileBytes} from '../source/cli/files.ts';
import {logFiles, mostLogBytes} from '../source/cli/log.ts';
import {readOptions} from '../source/cli/options/options.ts';
import {mostConfigRules} from '../source/cli/options/settings.ts';
import {quotedLength} from '../source/client/body.ts';
import {type BodyLimit, createBodyLimits, deepest} from '../source/client/body-limits.ts';
import {mostRangeCandles} from '../source/client/candle-range.ts';
import type {Operation} from '../source/client/errors.ts';
import {errorBodyBytes, errorBodyMs} from '../source/client/http.ts';
import {longestRetryAfterMs, pollRetries} from '../source/client/retry.ts';
import {nameLength} from '../source/client/wire/fields.ts';
import {mostFreeText} from '../source/format/cells.ts';
import {formatExact} from '../source/format/number.ts';
import {mostTapeTrades} from '../source/market/tape.ts';
import {largestPage, mostLevels} from '../source/market/types.ts';
import {hourMs, secondMs} from '../source/market/units.ts';
import {mostWaitingBytes} from '../source/serve/channel-input.ts';
import {resizeRestMs} from '../source/serve/channel-output.ts';
import {mostHostKeyBytes} from '../source/serve/host-key.ts';
import {mostKeyFileBytes} from '../source/serve/key-ring.ts';
import {limitsFrom} from '../source/serve/limits.ts';
import {mostCommandUnits, mostSize, mostVariableUnits} from '../source/serve/session.ts';
import {mostUnreadBytes, socketBytesPerSecond} from '../source/serve/socket-gate.ts';
import {keepAliveMs} from '../source/serve/ssh-server.ts';
import {mostCandles} from '../source/store/candle-feed.ts';
import {mostCopiedBytes} from '../source/terminal/clipboard.ts';
import {mostErrorBytes, mostErrors} from '../source/terminal/lifecycle.ts';
import {PasteSieve} from '../source/terminal/pastes.ts';
import {drawnSize} from '../source/terminal/size.ts';
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

const pasted = (): number =>
	new PasteSieve().sift(`\u001B[200~${'x'.repeat(10_000)}\u001B[201~`, 0).match(/x/g)?.length ?? 0;

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
		['exchange info, and book, trades or candles of a market', usual ?? ''],
		['a list of all markets, by the length of the longest so far', `from ${bodyText(least)} to ${bodyText(most)}`],
		['entries of a list of all markets', formatExact(mostLevels)],
		['nesting of an answer', amount(deepest, 'levels')],
		['body of an answer with an error status', `${amount(errorBodyBytes, 'bytes')}, ${seconds(errorBodyMs)}`],
		[
			'trades or candles of an answer, and levels of each side',
			`${formatExact(largestPage)} and ${formatExact(mostLevels)}`,
		],
		['headers of an answer', amount(maxHeaderSize, 'bytes')],
		[
			'trades of a tape, candles of a chart, and candles of one read',
			[mostTapeTrades, mostCandles, mostRangeCandles].map(count => formatExact(count)).join(', '),
		],
		['name, symbol, state, type or side', amount(nameLength, 'characters')],
		['field of the exchange info on screens and in tables', amount(mostFreeText, 'characters')],
		['text of others in an error', amount(quotedLength, 'characters')],
		['text of a prompt, and a paste', `${mostCharacters} and ${amount(pasted(), 'characters')}`],
		['config file and state file', amount(mostFileBytes, 'bytes each')],
		['log', `${logFiles} files of ${amount(mostLogBytes, 'bytes')}`],
		[
			'texts on standard error that wait for the screen to be left',
			`${mostErrors} of ${amount(mostErrorBytes, 'bytes')}`,
		],
		['screen', `${formatExact(columns)}×${rows} cells`],
		['time for an answer (`--timeout`)', seconds(timeoutMs)],
		['wait before a failed poll is repeated', seconds(pollRetries(60_000, true).longestMs)],
		['wait that `Retry-After` can ask for, before a probe', seconds(longestRetryAfterMs)],
		['reading the config file or the state file, and the last save of the state', seconds(longestWorkMs)],
		['rules of the config file', formatExact(mostConfigRules)],
		['notification of an alert, and window title', `${longestNotification} and ${amount(longestTitle, 'characters')}`],
		['text for the clipboard', amount(mostCopiedBytes, 'bytes')],
		[
			'program of an alert: its time, how many run, how many wait',
			`${seconds(longestRunMs)}, ${mostRunning}, ${mostWaiting}`,
		],
		[
			'viewers of `serve`, in all and of an address (`--max-viewers`, `--max-per-address`)',
			`${served.viewers} and ${served.viewersPerAddress}`,
		],
		[
			'connections to it that have not logged in, in all and of an address: 3 and 1 times `--max-per-address`',
			`${served.connecting} and ${served.connectingPerAddress}`,
		],
		[
			'log-ins of an address, failed ones too, at once and in each second after that: 3 and 1 times `--max-per-address`',
			`${served.logInsAtOnce} and ${served.logInsPerSecond}`,
		],
		['keys and passwords that a connection can offer in vain', formatExact(served.triesPerConnection)],
		['time to log in, and then to ask for the monitor or a command', `${seconds(served.loginMs)} each`],
		[
			'time without a key, an answer or, without a terminal, output that is taken (`--idle`)',
			amount(served.idleMs / hourMs, 'h'),
		],
		[
			'output to a viewer',
			`${amount(served.bytesPerSecond, 'bytes')} and ${amount(served.framesPerSecond, 'frames in a second')}`,
		],
		[
			'what is read from a viewer, and of it as keys',
			`${formatExact(socketBytesPerSecond)} and ${amount(served.keysPerSecond, 'bytes in a second')}`,
		],
		[
			"what waits for a viewer's keys to be read, and for the viewer to read answers",
			`${formatExact(mostWaitingBytes)} and ${amount(mostUnreadBytes, 'bytes')}`,
		],
		["sizes of a viewer's terminal that are drawn", amount(secondMs / resizeRestMs, 'in a second')],
		['screen of a viewer', `${mostSize.columns}×${mostSize.rows} cells`],
		[
			'alert rules of a viewer, and markets that they are judged on',
			`${viewerLimits.rules} and ${viewerLimits.ruleMarkets}`,
		],
		[
			"markets of a viewer's watch, and candles of one of its reads",
			`${viewerLimits.watched} and ${formatExact(viewerLimits.candles)}`,
		],
		[
			'command, and variable of the environment',
			`${formatExact(mostCommandUnits)} and ${amount(mostVariableUnits, 'characters')}`,
		],
		['file of the keys, and host key', `${formatExact(mostKeyFileBytes)} and ${amount(mostHostKeyBytes, 'bytes')}`],
		['time until a viewer whose connection is dead is found', seconds(4 * keepAliveMs)],
	];
	const listed = page.split('<!-- bounds: checked by a test -->\n')[1]?.split('\n<!-- /bounds -->')[0];
	expect(listed).toBe(
		['| what | at most |', '| --- | --- |', ...bounds.map(row => `| ${row.join(' | ')} |`)].join('\n'),
	);
});
