// Workers, gangs and plant next to the map: the list of what it shows, and the panel of a selected one.

import { useMemo } from 'react'
import { startOfDay } from '../../../../../shared/time.ts'
import { Go } from '../../../../base/go.tsx'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { useContractors } from '../../../../base/lists.ts'
import { paths } from '../../../../base/paths.ts'
import { permitName } from '../../../../base/permit-name.ts'
import { useHere } from '../../../../base/site.tsx'
import { dayOf, momentOf, windowOf } from '../../../../base/time.ts'
import { ClashBadge } from '../clashes/clash-list.tsx'
import type { ClashCounts } from '../clashes/clashes.ts'
import { signsFrom } from '../crowding.ts'
import type { Frame } from '../model.ts'
import { movesNow } from '../moving.ts'
import { t, tOf } from '../says.ts'
import { RepeatButton, ScheduleLine } from '../schedule/schedule-line.tsx'
import { alarmOf, headcountOf, type Standing, type Token, tokensInOrder } from '../tokens.ts'
import { DayPhotos } from './day-photos.tsx'
import { FinishButton } from './finish-button.tsx'
import { Around } from './floating.tsx'
import { useMore } from './more.tsx'
import { PastButton } from './past-button.tsx'
import { Called } from './place-list.tsx'
import { RequestFor } from './request-for.tsx'

/** The sign of a token, as on the map. */
const TokenMark = ({ token }: { token: Token }) => (
  <span className="token-mark" style={{ background: token.colour ?? 'var(--soft)' }} aria-hidden>
    <span>
      <Glyph name={token.token === 'worker' ? 'person' : 'crane'} size={16} />
    </span>
  </span>
)

/** What is wrong with a token, in words. */
function AlarmMark({ token }: { token: Token }) {
  const alarm = alarmOf(token)
  if (alarm === null) return null
  return (
    <span className={`badge ${alarm === 'examination_expired' ? 'stop' : 'warn'}`}>
      <Glyph name="warning" size={16} />
      {t(`token.alarm.${alarm}`)}
    </span>
  )
}

/** Deliveries have a list and a panel of their own. */
const isStanding = (token: Token): token is Standing => token.token !== 'delivery'

/** What a token is: its trade or its category. */
const whatIs = (token: Standing): string => (token.token === 'worker' ? token.trade : tOf('plant_category', token.category))

type ListGiven = { tokens: readonly Token[]; counts: ClashCounts; chosen: string | null; onChoose(token: Token): void }

/** The gangs and machines, those with something wrong first; a tap shows one on the map. */
export function TokenList({ tokens, counts, chosen, onChoose }: ListGiven) {
  const rows = useMemo(() => tokensInOrder(tokens).filter(isStanding), [tokens])
  const crowded = useMemo(() => signsFrom(tokens) > 0, [tokens])
  const { shown, more } = useMore(rows)
  const people = headcountOf(tokens)
  return (
    <>
      <h2>{t('token.title')}</h2>
      <p className="soft small">
        {rows.length === 0
          ? t('token.none')
          : t('token.counts', { people: t('token.people', { n: people }), machines: t('token.machines', { n: machinesIn(tokens) }) })}
      </p>
      {crowded && <p className="soft small">{t('token.crowded')}</p>}
      {rows.length > 0 && (
        <ul className="frame-list">
          {shown.map(token => (
            <li key={token.id}>
              <button type="button" className="frame-row" aria-pressed={token.id === chosen} onClick={() => onChoose(token)}>
                <TokenMark token={token} />
                <span className="grow counted">
                  <bdi className="cut two-lines">{token.name}</bdi>
                  {token.token === 'worker' && token.headcount > 1 && (
                    <span className="soft"> · {t('token.people', { n: token.headcount })}</span>
                  )}
                </span>
                <AlarmMark token={token} />
                <ClashBadge id={token.id} counts={counts} />
                <span className="soft small">{whatIs(token)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {more}
    </>
  )
}

const machinesIn = (tokens: readonly Token[]): number => tokens.filter(({ token }) => token === 'plant').length

type NoteGiven = { token: Standing; frame: Frame; now: number; onEdit: (() => void) | null; onMove: (() => void) | null; onClose(): void }

/** A summary of a gang or a machine: who, where, until when, and under which permit. */
export function TokenNote({ token, frame, now, onEdit, onMove, onClose }: NoteGiven) {
  const { site_id, zone } = useHere()
  const { data: contractors } = useContractors(site_id, 'all')
  const contractor = contractors?.find(one => one.id === token.contractor_id)
  const { place } = token
  const feature = frame.get(place.zone_id ?? '') ?? frame.get(place.building_id ?? '')
  const level = frame.get(place.building_id ?? '')?.levels.find(({ index }) => index === place.level_index)
  return (
    <Around label={<bdi>{token.name}</bdi>} onClose={onClose}>
      <p className="small">
        {token.token === 'worker' ? `${whatIs(token)} · ${t('token.people', { n: token.headcount })}` : whatIs(token)}
        {contractor !== undefined && (
          <>
            {' · '}
            <span className="swatch" style={{ background: contractor.colour }} aria-hidden /> <bdi>{contractor.name}</bdi>
          </>
        )}
      </p>
      <p>
        <AlarmMark token={token} />
      </p>
      {feature !== undefined && (
        <p className="small">
          <Called feature={feature} />
          {level !== undefined && ` · ${level.name}`}
        </p>
      )}
      <p className="small mono">
        {token.end_at === null ? t('token.since', { time: momentOf(token.start_at, zone) }) : windowOf(token.start_at, token.end_at, zone)}
      </p>
      {token.schedule_group_id !== null && <ScheduleLine kind={token.token} group_id={token.schedule_group_id} edited={token.edited} />}
      {token.token === 'worker' && token.activity !== null && <p className="small">{token.activity}</p>}
      {token.token === 'plant' && token.exclusion_radius_m > 0 && (
        <p className="small">{t('token.keep_out', { n: token.exclusion_radius_m })}</p>
      )}
      {token.token === 'plant' && token.examination_due_on !== null && (
        <p className="small">{t('token.examination_due', { date: dayOf(startOfDay(zone, token.examination_due_on), zone) })}</p>
      )}
      {token.permits.map(permit => (
        <p key={permit.id} className="small">
          <Go to={paths.permit(site_id, permit.id)}>{permitName(permit)}</Go>
          <span className="soft"> · {tOf('status', permit.status)}</span>
        </p>
      ))}
      {token.notes !== null && <p className="small">{token.notes}</p>}
      <div className="row">
        {onMove !== null && <Button onClick={onMove}>{t(movesNow(token, now) ? 'token.move_now' : 'token.move')}</Button>}
        {onEdit !== null && <Button onClick={onEdit}>{t('common.edit')}</Button>}
        {onEdit !== null && <FinishButton token={token} now={now} />}
        {onEdit !== null && token.schedule_group_id === null && token.end_at !== null && (
          <RepeatButton kind={token.token} token={{ ...token, end_at: token.end_at }} />
        )}
        {onEdit !== null && token.permits.length === 0 && <RequestFor token={token} />}
        <PastButton token={token} />
      </div>
      <DayPhotos token={token} />
    </Around>
  )
}
