import type {Command} from 'commander';
import {splitSymbol} from '../../market/symbol.ts';
import {UsageError} from '../exit.ts';
import {commandBegunBy, commandMeant, commandNamed, helpOf, markets} from '../options/arguments.ts';
import {addCallOptions, below, examples, type Finish, ownRunner, quoteCurrencyOption, type Runner} from './common.ts';

export function addMonitor(program: Command, finish: Finish, run: Pick<Runner, 'monitor'> = ownRunner): void {
	const monitor = program
		.command('monitor', {isDefault: true})
		.description('show the full-screen monitor (the default)')
		.argument('[MARKET]', 'in any spelling: BTCUSDT, BTC_USDT, btc-usdt, BTC/USDT')
		.allowExcessArguments()
		.option('--period <PERIOD>', 'candle period: minutes, or 15m, 1h, 1d, 1M (default: 1h)')
		.option(...quoteCurrencyOption)
		.option('--rewind <TIME>', 'how far back you can step, 1m to 24h, or off (default: 1h)')
		.option('--record <FILE>', 'record all polled data to this file')
		.addHelpText('after', below(examples('tapewatch', 'tapewatch btc-usdt --period 15m')))
		.action(async (market: string | undefined, _, command: Command) => {
			if (market) refuseMistyped(market, command.args.length > 1, program.commands);
			const named = command.args.flatMap(word => markets(word));
			if (named.length > 1) refuseSeveral(named);

			finish(await run.monitor(command.optsWithGlobals(), market));
		});
	addCallOptions(monitor);
}

/** Throws a `UsageError` when `word`, given as a market, must mean a command. `hasArguments`: other words follow. */
function refuseMistyped(word: string, hasArguments: boolean, commands: readonly Command[]): void {
	const names = ['help', ...commands.map(command => command.name())];
	const meant = commandMeant(word, names) ?? (hasArguments ? commandBegunBy(word, names) : undefined);
	if (meant !== undefined)
		throw new UsageError(`no such command or market: ${word}, did you mean ${meant}? (see ${helpOf('tapewatch')})`);
}

/** Throws a `UsageError` about `words`, given as markets of the monitor. */
function refuseSeveral(words: readonly string[]): never {
	const problem = 'the monitor shows one market at a time';
	const other = words.find(word => !splitSymbol(word));
	if (other === undefined) throw new UsageError(`${problem}; tapewatch watch ${words.join(' ')} shows all`);
	const what = commandNamed(other) ?? `${other} is not a command`;
	throw new UsageError(`${problem}, and ${what} (see ${helpOf('tapewatch')})`);
}
