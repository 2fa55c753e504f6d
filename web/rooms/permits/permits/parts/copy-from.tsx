import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ask, client, type Schemas } from '../../../../base/api.ts'
import { useFrameOf } from '../../../../base/frame.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { TextField } from '../../../../base/kit/field.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { Skeleton, toast, toastFault } from '../../../../base/kit/note.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { useMembers } from '../../../../base/lists.ts'
import { placeText } from '../../../../base/place-name.ts'
import { queries } from '../../../../base/query.ts'
import { useHere } from '../../../../base/site.tsx'
import { dayOf } from '../../../../base/time.ts'
import { t } from '../../../../base/words.ts'
import { permitQuery } from '../data.ts'
import type { Fields } from '../draft.ts'
import { copyOf } from '../suggestions.ts'
import { TypeChip } from './type-chip.tsx'

const MOST = 12

/** Fills the form from an earlier permit: everything except its times, answers, parent, files, retired types, and a receiver who is no longer a member. */
export function CopyFrom({ types, onCopy }: { types: readonly Schemas['PermitType'][]; onCopy(fields: Fields): void }) {
  const { site_id, zone, me } = useHere()
  const [open, setOpen] = useState(false)
  const [said, setSaid] = useState('')
  const q = said.trim()
  const people = useMembers(site_id)
  const found = useQuery({
    queryKey: ['permits', 'to-copy', site_id, q],
    queryFn: () => {
      const which = q === '' ? { requestor_id: [me.id] } : { q }
      return ask(client.GET('/permits', { params: { query: { site_id, ...which, limit: MOST, reasons: false } } }))
    },
    enabled: open,
    placeholderData: before => before,
    meta: { keep: true },
  })
  const frame = useFrameOf(found.data ?? [])
  const copy = async (card: Schemas['PermitCard']) => {
    try {
      const permit = await queries.fetchQuery(permitQuery(card.id))
      const active = new Set(types.filter(type => type.active).map(type => type.code))
      const { fields, retired } = copyOf(permit, active, new Set(people.data?.map(person => person.user_id)))
      onCopy(fields)
      setOpen(false)
      toast(t('request.copied', { name: permit.permit_number ?? permit.title ?? t('permit.untitled') }))
      if (retired.length > 0) toast(t('request.copied_retired', { types: retired.join(', ') }))
    } catch (error) {
      toastFault(error)
    }
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Glyph name="document" size={18} />
        {t('request.copy')}
      </Button>
      {open && (
        <Window title={t('request.copy')} onClose={() => setOpen(false)}>
          <TextField label={t('request.copy_hint')} type="search" value={said} onChange={event => setSaid(event.target.value)} />
          {found.data === undefined && <Skeleton rows={3} height={52} />}
          {found.data?.length === 0 && <p className="soft">{t('request.copy_none')}</p>}
          <ul className="stack tight" aria-label={q === '' ? t('request.copy_lately') : t('request.copy')}>
            {(found.data ?? []).map(card => (
              <li key={card.id}>
                <Button wide look="quiet" className="to-copy" onClick={() => void copy(card)}>
                  <span className="row tight-row">
                    {card.categories.map(code => (
                      <TypeChip key={code} code={code} />
                    ))}
                    <span className="strong">{card.title ?? t('permit.untitled')}</span>
                  </span>
                  <span className="soft small">
                    {[card.permit_number, placeText(card, frame), card.start_at === null ? null : dayOf(card.start_at, zone)]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </Button>
              </li>
            ))}
          </ul>
        </Window>
      )}
    </>
  )
}
