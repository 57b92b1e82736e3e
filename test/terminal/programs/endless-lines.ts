/** Writes lines until nobody reads them. */
import {onSignals} from '../../../source/terminal/lifecycle.ts';

onSignals({
	end: () => console.error('ended'),
	suspend: async () => async () => {},
	continued() {},
});

const writeLines = (): void => {
	while (process.stdout.write('a line\n'));
	process.stdout.once('drain', writeLines);
};

writeLines();
