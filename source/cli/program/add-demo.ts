import type {Command} from 'commander';
import {faultNames, faults} from '../../demo/faults/table.ts';
import {operationNames} from '../../demo/operations.ts';
import {faultRules, timeAt, wholeNumber} from '../options/arguments.ts';
import {below, commands, examples, type Finish} from './common.ts';

export function addDemo(program: Command, finish: Finish): void {
	program
		.command('demo')
		.description('serve the embedded demo exchange on loopback for other programs')
		.option('--port <N>', 'port to listen on (default: a free one)', wholeNumber(0, 65_535))
		.option('--seed <N>', 'random seed (default: 1)', wholeNumber(0, 2 ** 32 - 1))
		.option('--at <TIME>', 'UTC time at which the clock of the exchange starts (default: now)', timeAt(Date.now()))
		.option('--v2-bids', 'include bids in the v2 order book')
		.option('--rate-limit <N>', 'requests per second; further ones are answered with 429', wholeNumber(1, 1_000_000))
		.option('--fault <FAULT>', 'inject a fault, see below; can be repeated', faultRules)
		.addHelpText('after', below(demoHelp))
		.action(async (_, command: Command) => finish(await (await commands()).demo(command.optsWithGlobals())));
}

const faultColumn = 1 + Math.max(...faultNames.map(name => name.length));

const operationsOf = (source: string) => operationNames.filter(name => name.startsWith(`${source}.`)).join(' ');

export const demoHelp = () => `
The same --seed and --at always produce the same markets. With --at, the exchange's clock differs from the computer's, and
clients that compare the two report that.

Faults: ON=FAULT[,share=S][,for=TIME]
  ON     ${operationsOf('v2')}
         ${operationsOf('legacy')}; * matches either part, or all
  share  fraction of those requests, above 0 up to 1 (default: 1); --seed decides which ones
  for    duration, such as 500ms, 30s, 5m (default: until removed)
  FAULT  one of
${faultNames.map(name => `    ${name.padEnd(faultColumn)} ${faults[name].help}`).join('\n')}
If several faults match a request, the one that was set first applies.

While the exchange runs, on this computer only:
  GET /faults     lists the active faults and how many requests each has hit
  POST /faults    adds faults: lines as above, or JSON: [{"on": "v2.depth", "fault": "hang", "share": 0.5, "for": "30s"}]
  DELETE /faults  removes all faults
${examples(
	'tapewatch demo --port 8787',
	'tapewatch demo --seed 7 --rate-limit 5',
	'tapewatch demo --at 2026-11-20T12:00:00Z',
	"tapewatch demo --fault 'v2.depth=hang' --fault 'legacy.*=status-500,share=0.3'",
	"curl --data '*.trades=reset,for=30s' http://127.0.0.1:8787/faults",
)}`;
