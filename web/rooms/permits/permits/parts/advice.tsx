import { fieldsIn, itemsIn, textIn } from '../../../../../shared/narrow.ts'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { t } from '../../../../base/words.ts'
import type { Permit, StepName } from '../steps.ts'

/** Steps with advice: those of a permit, and the decision on an extension request. */
type Advised = StepName | 'approve_extension'
type One = Permit['advice'][string]

/** Returns the advice on a step; undefined when the person can't take it. Permits stored on this device by an earlier version have none. */
export const adviceOf = (permit: Partial<Pick<Permit, 'advice'>>, step: Advised): One | undefined => permit.advice?.[step]

/** The warnings of a step, and the declaration that it signs: shown before the button, not after it. `compact`, for a step that isn't signed: in one line. */
export function Advice({ permit, step, compact = false }: { permit: Pick<Permit, 'advice'>; step: Advised; compact?: boolean }) {
  const advice = adviceOf(permit, step)
  if (advice === undefined || (advice.warnings.length === 0 && advice.statement === null)) return null
  // A form on a phone has room for one line: its warnings concern fields that can be seen above it.
  if (compact) return <p className="advice-line small">{advice.warnings.map(one => one.detail).join(' ')}</p>
  return (
    <div className="advice stack tight">
      <Warnings warnings={advice.warnings} signed={advice.statement !== null} />
      {advice.statement !== null && <Statement text={advice.statement} />}
    </div>
  )
}

/** The warnings of a step that is signed, or only taken; nothing without warnings. */
export function Warnings({ warnings, signed }: { warnings: One['warnings']; signed: boolean }) {
  if (warnings.length === 0) return null
  const title = t(signed ? 'advice.title' : 'advice.unsigned', { n: warnings.length })
  return (
    <section className="note warn" aria-label={title}>
      <Glyph name="warning" />
      <div>
        <p className="strong">{title}</p>
        <ul>
          {warnings.map(one => (
            <li key={one.code + one.detail}>{one.detail}</li>
          ))}
        </ul>
      </div>
    </section>
  )
}

/** The declaration that a step signs. */
export function Statement({ text }: { text: string }) {
  return (
    <blockquote className="declaration">
      <span className="soft small">{t('advice.signs')}</span>
      <p>{text}</p>
    </blockquote>
  )
}

/** Warnings in a response that were not shown before the step: they depend on the form, or are new. */
export const freshWarnings = (permit: Pick<Permit, 'advice'>, step: Advised, answered: unknown): string[] => {
  const known = new Set(adviceOf(permit, step)?.warnings.map(one => one.code))
  const warnings = itemsIn(fieldsIn(answered).warnings).map(fieldsIn)
  return warnings.filter(one => !known.has(textIn(one.code))).map(one => textIn(one.detail))
}
