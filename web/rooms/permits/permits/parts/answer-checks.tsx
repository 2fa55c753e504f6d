import type { Schemas } from '../../../../base/api.ts'
import { TextField } from '../../../../base/kit/field.tsx'
import { t } from '../../../../base/words.ts'
import type { Fields } from '../draft.ts'
import type { Permit } from '../steps.ts'

type Given = NonNullable<Fields['pre_checks']>
type Answer = 'yes' | 'no' | 'not_applicable'
/** A pre-check to answer; `carried` if its answer was copied from another permit and has not been confirmed. */
export type Check = { code: string; label: string; required: boolean; carried: Answer | null }

/** Returns the pre-checks of these types without duplicates, each with the answer that the permit carried forward, if there is one. */
export function checksOf(types: readonly Schemas['PermitType'][], permit: Permit | undefined): Check[] {
  const carried = new Map(permit?.pre_checks.map(check => [check.code, check.carried_forward ? check.answer : null]))
  const all = new Map<string, Check>()
  for (const { code, label, required } of types.flatMap(type => type.pre_checks)) {
    const known = all.get(code)
    all.set(code, { code, label, required: required || (known?.required ?? false), carried: carried.get(code) ?? null })
  }
  return [...all.values()]
}

const ANSWERS = [
  ['yes', 'common.yes'],
  ['no', 'common.no'],
  ['not_applicable', 'request.not_applicable'],
] as const

/** The pre-checks of the chosen types, answered one by one. Any answer other than yes needs a reason. */
export function AnswerChecks({ checks, given, onAnswer }: { checks: readonly Check[]; given: Given; onAnswer(answers: Given): void }) {
  const of = (code: string) => given.find(one => one.code === code)
  const put = (code: string, change: Partial<Given[number]>) => {
    const before = of(code) ?? { code, answer: null, comment: null }
    onAnswer([...given.filter(one => one.code !== code), { ...before, ...change }])
  }
  return (
    <section className="panel part" aria-label={t('permit.pre_checks')}>
      <h2>{t('permit.pre_checks')}</h2>
      <ul className="answers">
        {checks.map(check => {
          const answer = of(check.code)
          const other = answer?.answer === 'no' || answer?.answer === 'not_applicable' || answer?.comment != null
          return (
            <li key={check.code} className="answer">
              <fieldset className="fieldset">
                <legend>
                  {check.label}
                  {!check.required && <span className="soft"> ({t('common.optional')})</span>}
                  {check.carried !== null && answer?.answer === check.carried && <span className="badge warn">{t('permit.carried')}</span>}
                </legend>
                <div className="choices">
                  {ANSWERS.map(([value, word]) => (
                    <label key={value}>
                      <input
                        type="radio"
                        name={`check ${check.code}`}
                        aria-label={value === 'not_applicable' ? t('common.not_applicable') : undefined}
                        checked={answer?.answer === value}
                        onChange={() => put(check.code, { answer: value })}
                      />
                      <span className="face">{t(word)}</span>
                    </label>
                  ))}
                </div>
              </fieldset>
              {other && (
                <TextField
                  label={t(answer?.answer === 'yes' ? 'request.comment' : 'request.comment_needed')}
                  value={answer?.comment ?? ''}
                  onChange={event => put(check.code, { comment: event.target.value || null })}
                />
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
