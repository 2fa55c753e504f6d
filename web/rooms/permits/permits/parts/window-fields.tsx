import { useState } from 'react'
import { runsFrom } from '../../../../base/hours.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { useFault } from '../../../../base/kit/faults.tsx'
import { MomentField } from '../../../../base/kit/field.tsx'
import { useCalendar } from '../../../../base/lists.ts'
import { useHere } from '../../../../base/site.tsx'
import { clockOf, dayOf } from '../../../../base/time.ts'
import { t } from '../../../../base/words.ts'
import { useLastPermits } from '../data.ts'
import type { Fields } from '../draft.ts'
import { hoursOf, type OfferedWindow, offeredWindows } from '../hours.ts'
import { Pills } from './pills.tsx'

/** Usual windows: shifts that this person works in, and the hours of their last permit. */
function useUsual(): OfferedWindow[] {
  const { site_id, zone, me, contractor_id } = useHere()
  const [now] = useState(() => Date.now())
  const calendar = useCalendar(site_id)
  const [lately = null] = useLastPermits(site_id, me.id).flatMap(permit => hoursOf(permit, zone) ?? [])
  return offeredWindows(calendar === null ? [] : runsFrom(calendar, contractor_id, now), lately, now, zone)
}

type Given = { fields: Fields; onChange(change: Fields): void }

/** More than these would be too many to read. */
const MOST_OFFERED = 3

/** The window: the usual ones with one tap, or any other by hand. */
export function WindowFields({ fields, onChange }: Given) {
  const { zone } = useHere()
  const offered = useUsual().slice(0, MOST_OFFERED)
  const usual = offered.some(one => one.start_at === fields.start_at && one.end_at === fields.end_at)
  const [other, setOther] = useState(false)
  const wrong = [useFault('start_at'), useFault('end_at')]
  const byHand =
    other || offered.length === 0 || (!usual && (fields.start_at ?? fields.end_at) != null) || wrong.some(one => one !== undefined)
  return (
    <>
      <Pills
        label={t('request.usual')}
        offered={offered.map(({ when, start_at, end_at }) => ({
          key: `${start_at} ${end_at}`,
          label: t(`request.usual.${when}`, { day: dayOf(start_at, zone), from: clockOf(start_at, zone), to: clockOf(end_at, zone) }),
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
            at="start_at"
            onMoment={start_at => onChange({ start_at })}
          />
          <MomentField
            label={t('request.to')}
            zone={zone}
            value={fields.end_at ?? null}
            at="end_at"
            onMoment={end_at => onChange({ end_at })}
          />
        </div>
      )}
    </>
  )
}
