import type {Reporter, TestModule} from 'vitest/node';

/** What the tests of a run that ended have shown of the interface and of the figures; nothing where none of them ran. */
export function figureLines(modules: ReadonlyArray<Pick<TestModule, 'children'>>): readonly string[] {
	const tests = modules.flatMap(({children}) => [...children.allTests()]);
	const statements = tests.filter(test => test.meta().statement);
	const proven = statements.filter(test => test.result().state === 'passed').length;
	const compared = tests.reduce((sum, test) => sum + (test.meta().compared ?? 0), 0);
	return [
		...(statements.length > 0
			? [`${proven} of ${statements.length} statements of the interface's specification have a test that passes`]
			: []),
		...(compared > 0
			? [`${compared.toLocaleString('en')} values compared with an independent computation from raw data`]
			: []),
	];
}

/** The part that prints them at the end. */
export const reportFigures: Reporter = {
	onTestRunEnd(modules) {
		for (const line of figureLines(modules)) console.log(line);
	},
};
