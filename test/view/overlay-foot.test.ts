import {expect, test} from 'vitest';
import {overlayFoot} from '../../source/view/overlay-foot.ts';

const rows = {total: 40, shown: 8, scroll: 0, columns: 40, ascii: false};

test.each([
	['all in sight', {...rows, total: 8}, 'Esc closes'],
	['nothing yet', {...rows, total: 0}, 'Esc closes'],
	['the beginning', rows, '1–8 of 40 · ↑↓ scroll · Esc closes'],
	['the end', {...rows, scroll: 32}, '33–40 of 40 · ↑↓ scroll · Esc closes'],
	['ASCII', {...rows, scroll: 3, ascii: true}, '4-11 of 40 - j/k scroll - Esc closes'],
	['less room', {...rows, columns: 33}, '1–8 of 40 · ↑↓ scroll'],
	['little room', {...rows, columns: 20}, '1–8 of 40'],
	['no room', {...rows, columns: 8}, ''],
])('says of an overlay what is in sight: %s', (_, input, foot) => {
	expect(overlayFoot(input)).toBe(foot);
});
