/**
 * A round of what a user does, by the keymap's names, which leaves the view as it was: markets, panels, zoom, periods, the
 * chart's past, overlays, command line, filter, interfaces, pause, alerts: those of a market that is not shown are deleted again, the other
 * two go on until the next round. Between two colons stands a text that is typed.
 */
const round = `
	n n n n n n n n n n p p p p p p p p p p
	! x x x x esc 1 f : :alert last > 1 every 2m: enter : :alert * last > 1 every 3m: enter
	: :alert ltcusdt last crosses 50 or bidDepth(1%) > 0 every 1m: enter
	: :alert ltcusdt tradeSize > 0 and rsi(14, 1m) > 0 every 1m: enter ! j t e enter o o esc esc
	ctrl+l 1 j k down up pgdn pgup ctrl+d ctrl+u ctrl+f ctrl+b G g end home s s s s s S S
	: :columns last 1h rvol: enter : :sort 7d: enter s S : :columns default: enter : :sort volume: enter
	u u u u u u A A f f C + - x left left enter right esc esc left right esc C C
	/ :sol: backspace esc / :eth/usdt: enter n n p p
	: :market ltc/usdt: enter : :period 15: enter : :list-add soak trx/usdt: enter : :list-add soak ltc/usdt: enter L K J L : :list-drop soak: enter
	2 ] n ] [ [ p t :45m: enter t :1h: enter c c c c c l l o enter down enter up enter down enter esc x left right up down m left m m enter enter T left left T : :levels: enter x x esc esc
	left left left G left pgup end = - + _ z n z p
	: :level 1.5 "soak": enter : :levels: enter a esc e esc enter esc esc : :levels: enter j k x x esc 2
	3 + - n + - p t t b n b x left up right down ] [ x p b j k m a :5000 usdt: enter esc z z
	4 + - j k G g m n m p z z
	5 z esc 2 w W 4 h H
	1 y Y 2 y x y k y esc Y 3 y Y 4 y Y 5 Y
	< < > , . { } esc R R
	: :settings: enter esc ? pgdn / :pause: enter n N esc esc f1 f1 i esc d esc v n v p v space n space p r tab tab tab tab tab shift+tab tab 1
	! end x x x x esc esc : :market btcusdt: enter f
`;

/** The keys that are pressed one after the other, by their names; what is typed comes in one piece of input. */
export const keysOfRound: readonly string[] = [...round.matchAll(/:([^:\s][^:]*):|(\S+)/g)].flatMap(
	([, text, key]) => text ?? key ?? [],
);
