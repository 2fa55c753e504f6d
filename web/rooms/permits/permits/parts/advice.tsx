import { Glyph } from '../../../../base/kit/glyph.tsx'
import { t } from '../../../../base/words.ts'
import type { Permit, StepName } from '../steps.ts'

type Given = { permit: Pick<Permit, 'advice'>; step: StepName }

/** The warnings of a step, and the declaration that it signs: shown before the button, not after it. */
export function Advice({ permit, step }: Given) {
  // Permits stored on this device by an earlier version have none.
  const advice = (permit.advice as Permit['advice'] | undefined)?.[step]
  if (advice === undefined || (advice.warnings.length === 0 && advice.statement === null)) return null
  return (
    <div className="advice stack tight">
      {advice.warnings.length > 0 && (
        <section className="note warn" aria-label={t('advice.title', { n: advice.warnings.length })}>
          <Glyph name="warning" />
          <div>
            <p className="strong">{t('advice.title', { n: advice.warnings.length })}</p>
            <ul>
              {advice.warnings.map(one => (
                <li key={one.code + one.detail}>{one.detail}</li>
              ))}
            </ul>
          </div>
        </section>
      )}
      {advice.statement !== null && (
        <blockquote className="declaration">
          <span className="soft small">{t('advice.signs')}</span>
          <p>{advice.statement}</p>
        </blockquote>
      )}
    </div>
  )
}

/** Warnings in a response that could not be shown before the step: they depend on the form, or are new. */
export const freshWarnings = (permit: Pick<Permit, 'advice'>, step: StepName, answered: unknown): string[] => {
  const known = new Set((permit.advice as Permit['advice'] | undefined)?.[step]?.warnings.map(one => one.code))
  const warnings = (answered as { warnings?: { code: string; detail: string }[] } | null)?.warnings ?? []
  return warnings.filter(one => !known.has(one.code)).map(one => one.detail)
}
