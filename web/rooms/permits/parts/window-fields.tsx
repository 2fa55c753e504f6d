import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ask, client } from '../../../base/api.ts'
import { Button } from '../../../base/kit/button.tsx'
import { MomentField } from '../../../base/kit/field.tsx'
import { useHere } from '../../../base/site.tsx'
import { clockOf } from '../../../base/time.ts'
import { t } from '../../../base/words.ts'
import { useLastPermits } from '../data.ts'
import type { Fields } from '../draft.ts'
import { type Hours, hoursOf, offeredWindows, running } from '../hours.ts'

const SELDOM = 300_000

/** Hours that are worked here: shifts of the site, and those of this person’s last permit. */
function useHours(): Hours[] {
  const { site_id, zone, me } = useHere()
  const [now] = useState(() => Date.now())
  const shifts = useQuery({
    queryKey: ['shifts', site_id],
    queryFn: () => ask(client.GET('/shifts/', { params: { query: { site_id, contractor_id: 'none' } } })),
    staleTime: SELDOM,
    meta: { keep: true },
  })
  const last = useLastPermits(site_id, me.id)
  const lately = last.map(permit => hoursOf(permit, zone)).find(hours => hours !== null)
  return [...running(shifts.data ?? [], now, zone), ...(lately === undefined || lately === null ? [] : [lately])]
}

type Given = { fields: Fields; wrong(field: string): string | undefined; onChange(change: Fields): void }

/** When: the usual windows by one tap, and any other by hand. */
export function WindowFields({ fields, wrong, onChange }: Given) {
  const { zone } = useHere()
  const offered = offeredWindows(useHours(), Date.now(), zone)
  return (
    <>
      {offered.length > 0 && (
        <div className="row tight-row" role="group" aria-label={t('request.usual')}>
          {offered.map(({ when, start_at, end_at }) => (
            <Button
              key={`${start_at} ${end_at}`}
              className="pill"
              aria-pressed={fields.start_at === start_at && fields.end_at === end_at}
              onClick={() => onChange({ start_at, end_at })}
            >
              {t(`request.usual.${when}`, { from: clockOf(start_at, zone), to: clockOf(end_at, zone) })}
            </Button>
          ))}
        </div>
      )}
      <div className="pair">
        <MomentField
          label={t('request.from')}
          zone={zone}
          value={fields.start_at ?? null}
          fault={wrong('start_at')}
          onMoment={start_at => onChange({ start_at })}
        />
        <MomentField
          label={t('request.to')}
          zone={zone}
          value={fields.end_at ?? null}
          fault={wrong('end_at')}
          onMoment={end_at => onChange({ end_at })}
        />
      </div>
    </>
  )
}
