import { useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { MomentField } from '../../../../base/kit/field.tsx'
import { useShifts } from '../../../../base/lists.ts'
import { useHere } from '../../../../base/site.tsx'
import { clockOf } from '../../../../base/time.ts'
import { t } from '../../../../base/words.ts'
import { useLastPermits } from '../data.ts'
import type { Fields } from '../draft.ts'
import { type Hours, hoursOf, offeredWindows, running } from '../hours.ts'
import { Pills } from './pills.tsx'

/** Usual hours: shifts of the site, and the hours of this person's last permit. */
function useHours(): Hours[] {
  const { site_id, zone, me } = useHere()
  const [now] = useState(() => Date.now())
  const lately = useLastPermits(site_id, me.id).flatMap(permit => hoursOf(permit, zone) ?? [])
  return [...running(useShifts(site_id).data ?? [], now, zone), ...lately.slice(0, 1)]
}

type Given = { fields: Fields; wrong(field: string): string | undefined; onChange(change: Fields): void }

/** More than these would be too many to read. */
const MOST_OFFERED = 3

/** The window: the usual ones with one tap, or any other by hand. */
export function WindowFields({ fields, wrong, onChange }: Given) {
  const { zone } = useHere()
  const offered = offeredWindows(useHours(), Date.now(), zone).slice(0, MOST_OFFERED)
  const usual = offered.some(one => one.start_at === fields.start_at && one.end_at === fields.end_at)
  const [other, setOther] = useState(false)
  const byHand =
    other ||
    offered.length === 0 ||
    (!usual && (fields.start_at ?? fields.end_at) != null) ||
    wrong('start_at') !== undefined ||
    wrong('end_at') !== undefined
  return (
    <>
      <Pills
        label={t('request.usual')}
        offered={offered.map(({ when, start_at, end_at }) => ({
          key: `${start_at} ${end_at}`,
          label: t(`request.usual.${when}`, { from: clockOf(start_at, zone), to: clockOf(end_at, zone) }),
          taken: fields.start_at === start_at && fields.end_at === end_at,
          onTake: () => onChange({ start_at, end_at }),
        }))}
      >
        {!byHand && (
          <Button look="quiet" className="pill" onClick={() => setOther(true)}>
            {t('request.other_times')}
          </Button>
        )}
      </Pills>
      {byHand && (
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
      )}
    </>
  )
}
