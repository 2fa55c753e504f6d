// What the points are worth as a whole, in metres.
import type { Calibration } from '../../../../../shared/calibration/calibrate.ts'
import { Note } from '../../../../base/kit/note.tsx'
import { type Pairs, type Worth, wholeOf, worstOf } from './pairs.ts'
import { metresSaid } from './point-list.tsx'
import { t, tOf } from './says.ts'

const KIND = { good: 'safe', fair: 'warn', poor: 'stop', unchecked: 'warn' } as const
/** A plan that is stretched by more than this was probably placed by a wrong point. */
const RATIO_AT_MOST = 1.2

/** The accuracy of a fit, or what is wrong with the points. */
export function FitNote({ pairs, worth }: { pairs: Pairs; worth: Worth }) {
  if (worth === null) return null
  const numberOf = (index: number) => pairs.list.indexOf(wholeOf(pairs)[index] ?? NOBODY) + 1
  if ('faults' in worth)
    return (
      <Note kind="warn" title={t('pair.refused')}>
        <ul className="small">
          {worth.faults.map(({ kind, index, message }) => (
            <li key={`${kind} ${index}`}>
              {index === null ? t('pair.fault_all', { message }) : t('pair.fault', { n: numberOf(index), message })}
            </li>
          ))}
        </ul>
      </Note>
    )
  return <Accuracy fit={worth.calibration} numberOf={numberOf} />
}

const NOBODY = { key: -1, pixel: null, spot: null, used: false } as const

function Accuracy({ fit, numberOf }: { fit: Calibration; numberOf(index: number): number }) {
  const worst = worstOf(fit)
  return (
    <section className="stack tight" aria-label={t('pair.fit')}>
      <Note kind={KIND[fit.quality]} title={tOf('quality', fit.quality)}>
        <p>{tOf('pair', fit.quality)}</p>
        {worst !== null && (
          <p className="strong">
            {worst.wrong
              ? t('pair.suspect', { n: numberOf(worst.index) })
              : t('pair.largest', { n: numberOf(worst.index), m: metresSaid(worst.metres) })}
          </p>
        )}
        {fit.scale_ratio > RATIO_AT_MOST && <p>{t('pair.scale_ratio', { n: metresSaid(fit.scale_ratio) })}</p>}
      </Note>
      <dl className="facts">
        <dt>{t('pair.rmse')}</dt>
        <dd className="mono">{t('pair.metres', { n: metresSaid(fit.rmse_m) })}</dd>
        <dt>{t('pair.max')}</dt>
        <dd className="mono">{t('pair.metres', { n: metresSaid(fit.max_residual_m) })}</dd>
        <dt>{t('pair.size')}</dt>
        <dd className="mono">{t('pair.centimetres', { n: Math.round(fit.ground_resolution_m * 1000) / 10 })}</dd>
        <dt>{t('pair.turned')}</dt>
        <dd className="mono">{t('pair.degrees', { n: Math.round(fit.rotation_deg * 10) / 10 })}</dd>
      </dl>
      {fit.redundancy > 0 && <p className="soft small">{t('pair.arrows')}</p>}
    </section>
  )
}
