import { useState } from 'react'
import { Button } from '../../../base/kit/button.tsx'
import { Choices, TextField } from '../../../base/kit/field.tsx'
import { t } from '../../../base/words.ts'
import type { Fields } from '../draft.ts'
import type { Permit } from '../steps.ts'

type Given = NonNullable<Fields['pre_checks']>

/** The checks of the chosen types, answered one by one. */
export function AnswerChecks({ permit, given, onAnswer }: { permit: Permit; given: Given; onAnswer(answers: Given): void }) {
  const [commenting, setCommenting] = useState<string | null>(null)
  const of = (code: string) => given.find(one => one.code === code)
  const put = (code: string, change: Partial<Given[number]>) => {
    const before = of(code) ?? { code, answer: null, comment: null }
    onAnswer([...given.filter(one => one.code !== code), { ...before, ...change }])
  }
  return (
    <section className="panel stack" aria-label={t('permit.pre_checks')}>
      <h2>{t('permit.pre_checks')}</h2>
      <ul className="stack">
        {permit.pre_checks.map(check => {
          const answer = of(check.code)
          return (
            <li key={check.code} className="answer">
              <Choices
                label={check.required ? `${check.label} (${t('permit.needed')})` : check.label}
                options={[
                  { value: 'yes', label: t('common.yes') },
                  { value: 'no', label: t('common.no') },
                  { value: 'not_applicable', label: t('common.not_applicable') },
                ]}
                value={answer?.answer ?? null}
                onChoose={value => put(check.code, { answer: value as 'yes' | 'no' | 'not_applicable' })}
              />
              {check.carried_forward && answer?.answer === check.answer && <span className="badge warn">{t('permit.carried')}</span>}
              {answer?.comment != null || commenting === check.code ? (
                <TextField
                  label={t('request.comment')}
                  value={answer?.comment ?? ''}
                  onChange={event => put(check.code, { comment: event.target.value || null })}
                />
              ) : (
                <Button look="quiet" onClick={() => setCommenting(check.code)}>
                  {t('request.comment')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
