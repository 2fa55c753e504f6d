import { Glyph } from '../../../base/kit/glyph.tsx'
import { t } from '../../../base/words.ts'
import type { Permit, StepName } from '../steps.ts'

type Given = { permit: Pick<Permit, 'advice'>; step: StepName }

/** What a step would warn of, and the declaration that it signs: read before the button, not after it. */
export function Advice({ permit, step }: Given) {
  // Permits that this device kept under an earlier version have none.
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

/** Warnings of a response that couldn't be shown before the step: they depend on the form, or arose in the meantime. */
export const freshWarnings = (permit: Pick<Permit, 'advice'>, step: StepName, answered: unknown): string[] => {
  const known = new Set((permit.advice as Permit['advice'] | undefined)?.[step]?.warnings.map(one => one.code))
  const warnings = (answered as { warnings?: { code: string; detail: string }[] } | null)?.warnings ?? []
  return warnings.filter(one => !known.has(one.code)).map(one => one.detail)
}
