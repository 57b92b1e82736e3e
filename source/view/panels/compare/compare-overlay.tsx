import {memo, useEffect} from 'react';
import type {Comparison} from '../../../store/comparison.ts';
import {Pane, type PanelProps, sizeOf} from '../../pane.tsx';
import {useComparison, useMarket, useNow, useScreen} from '../../use-market.ts';
import {comparePanel} from './model.ts';

type CompareOverlayProps = PanelProps & {readonly comparison: Comparison; readonly symbols: readonly string[]};

export const CompareOverlay = memo((props: CompareOverlayProps) => {
	const {ascii} = useScreen();
	const {comparison, symbols} = props;
	const {markets, period, choice, paused} = useMarket('markets', 'period', 'choice', 'paused');
	const compared = useComparison(comparison);
	const now = useNow();
	const size = sizeOf(props);
	useEffect(() => {
		if (!paused) comparison.show({symbols, period, choice});
		return () => comparison.show(undefined);
	}, [comparison, symbols, period, choice, paused]);
	return <Pane lines={comparePanel({compared, markets, period, size, now, ascii})} size={size} />;
});
