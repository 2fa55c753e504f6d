import { useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { faultAt, inWords } from '../../../../base/kit/fault-words.ts'
import { Choice } from '../../../../base/kit/field.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { useMembers } from '../../../../base/lists.ts'
import { useHere } from '../../../../base/site.tsx'
import type { EventSchema } from '../condition.ts'
import { type Draft, type Term, termsFor, termWords, withTerm } from '../model.ts'
import { t } from '../says.ts'

type Given = {
  draft: Draft
  event: EventSchema
  faults: ReadonlyMap<string, string>
  may: boolean
  set(part: Partial<Draft>): void
}

/** The recipients, and those who are notified if there are none. */
export function Audience({ draft, event, faults, may, set }: Given) {
  const { audience, otherwise } = draft
  const none = audience.length === 0 ? faults.get('audience') : undefined
  const last = faultAt(faults, `audience[${audience.length}]`)
  return (
    <>
      <Terms
        legend={t('rules.audience')}
        empty={t('rules.nobody_yet')}
        terms={audience}
        event={event}
        may={may}
        faultOf={i => faultAt(faults, `audience[${i}]`)}
        fault={none}
        onChange={next => set({ audience: next })}
      />
      {(otherwise.length > 0 || (may && audience.length > 0)) && (
        <Terms
          legend={t('rules.otherwise')}
          empty={t('rules.otherwise_none')}
          terms={otherwise}
          event={event}
          may={may}
          faultOf={() => undefined}
          fault={otherwise.length > 0 ? last : undefined}
          onChange={next => set({ otherwise: next })}
        />
      )}
    </>
  )
}

type TermsGiven = {
  legend: string
  empty: string
  terms: readonly Term[]
  event: EventSchema
  may: boolean
  faultOf(i: number): string | undefined
  fault: string | undefined
  onChange(terms: Term[]): void
}

function Terms({ legend, empty, terms, event, may, faultOf, fault, onChange }: TermsGiven) {
  const { site_id } = useHere()
  const members = useMembers(site_id)
  const nameOf = (user_id: string) => members.data?.find(one => one.user_id === user_id)?.name
  return (
    <fieldset className="fieldset stack tight">
      <legend>{legend}</legend>
      {terms.length === 0 && <p className="soft small">{empty}</p>}
      <ul className="terms">
        {terms.map((term, i) => {
          const name = termWords(term, nameOf)
          const wrong = faultOf(i)
          return (
            <li key={JSON.stringify(term)}>
              <span>{name}</span>
              {may && (
                <Button
                  look="quiet"
                  square
                  aria-label={t('rules.take_term_out', { name })}
                  onClick={() => onChange(terms.filter(one => one !== term))}
                >
                  <Glyph name="close" />
                </Button>
              )}
              {wrong !== undefined && <p className="fault">{inWords(wrong)}</p>}
            </li>
          )
        })}
      </ul>
      {may && <AddTerm legend={legend} event={event} nameOf={nameOf} onAdd={term => onChange(withTerm(terms, term))} />}
      {fault !== undefined && <p className="fault">{inWords(fault)}</p>}
    </fieldset>
  )
}

type AddGiven = { legend: string; event: EventSchema; nameOf(user_id: string): string | undefined; onAdd(term: Term): void }

/** Selecting is separate from adding, so that moving through the list with arrow keys adds nobody. */
function AddTerm({ legend, event, nameOf, onAdd }: AddGiven) {
  const { site_id } = useHere()
  const members = useMembers(site_id)
  const [chosen, setChosen] = useState('')
  const choices = termsFor(event, members.data ?? [])
  return (
    <div className="add-term">
      <Choice
        label={<span className="unseen">{t('rules.add_to', { what: legend })}</span>}
        value={chosen}
        options={[]}
        onChange={picked => setChosen(picked.target.value)}
        groups={choices.map(({ group, terms }) => ({
          label: group,
          options: terms.map(term => ({ value: JSON.stringify(term), label: termWords(term, nameOf) })),
        }))}
        empty={t('rules.choose')}
      />
      <Button
        aria-label={t('rules.add_to', { what: legend })}
        disabled={chosen === ''}
        onClick={() => {
          const term = choices.flatMap(({ terms }) => terms).find(one => JSON.stringify(one) === chosen)
          if (term !== undefined) onAdd(term)
          setChosen('')
        }}
      >
        <Glyph name="plus" />
        {t('rules.add')}
      </Button>
    </div>
  )
}
