import {expect, test} from 'vitest';
import {commands} from '../../../source/view/commands/table.ts';
import {candidates} from '../../../source/view/commands/typed-command.ts';
import {deliveredStart} from '../../../source/view/panels/settings/model.ts';
import {type Headless, openHeadless} from './headless.ts';

const outcomeOf = ({outcome}: Headless) => ({...outcome().ui, state: outcome().state});

test.each(['w', 'w!', 'write'])(':%s says that nothing has to be saved', async text => {
	const monitor = await openHeadless();
	await monitor.type(`:${text}\r`);
	const {notice, command} = monitor.outcome().ui;
	expect([notice, command]).toEqual(['nothing to save: changes are remembered by themselves', undefined]);
});

test(':w says if nothing is remembered', async () => {
	const monitor = await openHeadless(undefined, {}, undefined, {...deliveredStart, isRemembered: false});
	await monitor.type(':w\r');
	expect(monitor.outcome().ui.notice).toBe('nothing to save: this session is not remembered');
});

test('a single letter is no name of a command or a setting, and no word of either', async () => {
	const monitor = await openHeadless();
	const {notice: _, command: __, commandsEntered: ___, ...before} = outcomeOf(monitor);
	const letters = (words: readonly string[]) => [...new Set(words.map(word => word.charAt(0)))];
	const {state, ui} = monitor.outcome();
	const words = (name: string) => candidates(`${name} `, {...state, lists: ui.picker.lists});
	const lines = [
		...letters(commands.map(({name}) => name)).filter(letter => !/[hqwx]/.test(letter)),
		...letters(commands.map(({name}) => name)).map(letter => `set ${letter} on`),
		...['layout', 'theme', 'set palette', 'chart-type', 'indicators', 'book-view', 'interface'].flatMap(name =>
			letters(words(name).map(word => word.slice(name.length + 1))).map(letter => `${name} ${letter}`),
		),
	];
	expect(lines.length).toBeGreaterThan(60);
	for (const line of lines) {
		await monitor.type(`:${line}\r`);
		const {notice, command, commandsEntered, ...after} = outcomeOf(monitor);
		expect([line, command?.fault]).toEqual([line, expect.any(String)]);
		expect(after).toEqual(before);
		await monitor.press('esc');
	}
});
