import type {Command} from 'commander';
import {exitStatus, UsageError} from '../exit.ts';
import {helpOf} from '../options/arguments.ts';
import {print} from '../output.ts';
import {below, examples, type Finish} from './common.ts';

/** Defines the command that prints a shell's script, and the hidden one that the script asks. */
export function addCompletion(program: Command, finish: Finish): void {
	program
		.command('completion')
		.description('print a script that completes commands, options and markets in a shell')
		.argument('<SHELL>', 'bash, zsh or fish')
		.addHelpText('after', below(completionHelp))
		.action(async (shell: string) => {
			const {scripts} = await import('../completion/scripts.ts');
			const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
			if (script === undefined) {
				throw new UsageError(`SHELL must be bash, zsh or fish, not ${shell} (see ${helpOf('completion')})`);
			}

			await print(script);
			finish(exitStatus.done);
		});
	program
		.command('complete', {hidden: true})
		.argument('<AT>')
		.argument('[WORDS...]')
		.action(async (at: string, words: readonly string[]) => {
			const [{complete}, {createValues}] = await Promise.all([
				import('../completion/complete.ts'),
				import('../completion/values.ts'),
			]);
			const found = await complete(program, words, Number(at), createValues(process.env));
			const line = (value: string, description = '') => (description ? `${value}\t${description}\n` : `${value}\n`);
			await print(
				'files' in found
					? `:files\t${found.files}\n`
					: found.candidates.map(({value, description}) => line(value, description)).join(''),
			);
			finish(exitStatus.done);
		});
}

const completionHelp = `
To install it for new shells:
  bash   echo 'source <(tapewatch completion bash)' >> ~/.bashrc
  zsh    echo 'source <(tapewatch completion zsh)' >> ~/.zshrc        after the line with compinit
  fish   tapewatch completion fish > ~/.config/fish/completions/tapewatch.fish

Shells complete the command tapewatch, so it must be on the PATH, for example after npm install --global. With npx and npm start,
there is no such command, and completion does not work.

Markets are those of the exchange given on the line or in the configuration, in upper or lower case: btc completes to BTCUSDT,
btc/ to BTC/USDT. They are cached in $XDG_CACHE_HOME/tapewatch (default ~/.cache) for 10 minutes. If the exchange fails or takes
longer than a second, no market is completed, and the exchange is not asked again for 10 seconds.
${examples('tapewatch completion bash', 'tapewatch completion fish | source')}`;
