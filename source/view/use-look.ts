import {useEffect, useMemo} from 'react';
import type {Rgb} from '../format/style.ts';
import {createStore} from '../store/create-store.ts';
import type {LookChanges} from './theme/theme.ts';
import {type Screen, useStore} from './use-market.ts';

const unknownBackground = createStore<Rgb | undefined>(undefined);

/** The screens, all of one terminal, in the chosen colours, as they suit its background. Absent choices change nothing. */
export function useLook(screens: readonly Screen[], chosen: Pick<LookChanges, 'theme' | 'palette'>): readonly Screen[] {
	const {theme, palette} = chosen;
	const background = useStore(screens[0]?.background ?? unknownBackground);
	const ask = screens[0]?.askBackground;
	useEffect(() => {
		if (theme === 'auto') ask?.();
	}, [theme, ask]);
	return useMemo(
		() =>
			screens.map(screen => {
				const drawn = screen.theme.with({theme, palette, background});
				return drawn === screen.theme ? screen : {...screen, theme: drawn};
			}),
		[screens, theme, palette, background],
	);
}
