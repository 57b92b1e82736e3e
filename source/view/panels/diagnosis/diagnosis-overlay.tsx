import {memo} from 'react';
import {liveSkew} from '../../../store/clock-skew.ts';
import type {DiagnosisStore} from '../../../store/diagnosis.ts';
import {Pane, type PanelProps, sizeOf} from '../../pane.tsx';
import {useDiagnosis, useMarket, useMarketValue, useNow, useScreen} from '../../use-market.ts';
import {diagnosisPanel} from './rows.ts';

type DiagnosisOverlayProps = PanelProps & {readonly store: DiagnosisStore; readonly scroll: number};

export const DiagnosisOverlay = memo((props: DiagnosisOverlayProps) => {
	const {ascii} = useScreen();
	const diagnosis = useDiagnosis(props.store);
	const {budget} = useMarket('budget');
	const skewMs = useMarketValue(liveSkew);
	const now = useNow();
	const size = sizeOf(props);
	const lines = diagnosisPanel({diagnosis, budget, skewMs, now, size, scroll: props.scroll, ascii});
	return <Pane lines={lines} size={size} />;
});
