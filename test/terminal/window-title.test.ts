import {expect, test} from 'vitest';
import {createWindowTitle} from '../../source/terminal/window-title.ts';

const save = '\u001B[22;2t';
const restore = '\u001B]2;\u0007\u001B[23;2t';
const titled = (text: string) => `\u001B]2;${text}\u0007`;

/** What is written at once, and `soon` what waits for the next frame. */
function open() {
	let written: string[] = [];
	let soon: string[] = [];
	const title = createWindowTitle(
		text => written.push(text),
		text => soon.push(text),
	);
	return {
		title,
		took() {
			const taken = {written: written.join(''), soon};
			[written, soon] = [[], []];
			return taken;
		},
	};
}

test('the title that the window had is saved before the first one and given back once', () => {
	const {title, took} = open();
	title.show(`an alert${'x'.repeat(500)}`);
	expect(took()).toEqual({written: save + titled(`an alert${'x'.repeat(92)}`), soon: []});
	title.clear();
	title.clear();
	expect(took()).toEqual({written: restore, soon: []});
});

test('an alert takes the place of the usual title, which comes back with its latest text', () => {
	const {title, took} = open();
	title.setUsual('BTC/USDT 1');
	title.setUsual('BTC/USDT 1');
	expect(took()).toEqual({written: save, soon: [titled('BTC/USDT 1')]});
	title.show('! BTC/USDT last > 1');
	// What waits for a frame would come after it.
	expect(took()).toEqual({written: titled('! BTC/USDT last > 1'), soon: ['']});
	title.setUsual('BTC/USDT 2');
	expect(took()).toEqual({written: '', soon: []});
	title.clear();
	expect(took()).toEqual({written: titled('BTC/USDT 2'), soon: []});
});

test("while it is lent the title is the window's own, and then that of the moment", () => {
	const {title, took} = open();
	title.setUsual('BTC/USDT 1');
	took();
	const retake = title.lend();
	expect(took()).toEqual({written: restore, soon: ['']});
	title.setUsual('BTC/USDT 2');
	title.show('an alert');
	title.clear();
	title.lend();
	expect(took().written).toBe('');
	retake();
	expect(took()).toEqual({written: save + titled('BTC/USDT 2'), soon: []});
});
