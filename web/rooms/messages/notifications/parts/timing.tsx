import { useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { Choices, TextField, Tick } from '../../../../base/kit/field.tsx'
import { FaultNote, toast } from '../../../../base/kit/note.tsx'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { prefer } from '../data.ts'
import { type Preference, quietParts } from '../model.ts'
import { t } from '../says.ts'

const DAYS = [1, 2, 3, 4, 5, 6, 7] as const
const NIGHT = { from: '19:00', to: '06:00' }

/** Shows when emails are sent, the time of the digest, and the quiet hours. */
export function Timing({ every }: { every: Preference }) {
  const { zone } = useHere()
  const mails = every.channels.email
  const [delivery, setDelivery] = useState(mails.delivery)
  const [digest, setDigest] = useState(every.digest_at ?? '06:30')
  const [days, setDays] = useState<readonly number[]>(every.digest_weekdays ?? [])
  const { busy, fault, send } = useSend()
  return (
    <section className="panel stack" aria-label={t('prefs.when')}>
      <h2>{t('prefs.when')}</h2>
      <Choices
        label={t('prefs.delivery')}
        options={(['immediate', 'hourly', 'daily'] as const).map(value => ({
          value,
          label: t(`prefs.delivery.${value}`),
        }))}
        value={delivery}
        onChoose={next => setDelivery(next)}
      />
      {delivery === 'daily' && (
        <>
          <TextField
            label={t('prefs.digest_at')}
            type="time"
            className="mono short"
            value={digest}
            onChange={event => setDigest(event.target.value)}
          />
          <Weekdays label={t('prefs.digest_days')} value={days} onChange={setDays} />
        </>
      )}
      <div className="row">
        <Button
          aria-busy={busy}
          onClick={() =>
            void send(async () => {
              const digests = delivery === 'daily' ? { digest_at: digest, digest_weekdays: [...days].sort() } : {}
              await prefer('all', 'email', { delivery, ...digests }, mails.all_sites_version)
              toast(t('common.saved'))
            })
          }
        >
          {t('prefs.save_delivery')}
        </Button>
      </div>
      {fault !== null && <FaultNote error={fault} />}
      {(['email', 'push'] as const).map(channel => (
        <Quiet
          key={channel}
          channel={channel}
          given={every.quiet_hours?.[channel] ?? null}
          version={every.channels[channel].all_sites_version}
          zone={zone}
        />
      ))}
      <p className="soft small">{t('prefs.critical')}</p>
    </section>
  )
}

type QuietHours = NonNullable<NonNullable<Preference['quiet_hours']>['email']>

type QuietGiven = { channel: 'email' | 'push'; given: QuietHours | null; version: number; zone: string }

function Quiet({ channel, given, version, zone }: QuietGiven) {
  const [quiet, setQuiet] = useState<{ from: string; to: string } | null>(given)
  const [days, setDays] = useState<readonly number[]>(given?.weekdays ?? DAYS)
  const { busy, fault, send } = useSend()
  const title = t(`prefs.quiet.${channel}`)
  return (
    <fieldset className="fieldset stack tight">
      <legend className="strong">{title}</legend>
      <Tick
        label={t('prefs.quiet_on')}
        checked={quiet !== null}
        onChange={event => setQuiet(event.target.checked ? (given ?? NIGHT) : null)}
      />
      {quiet !== null && (
        <>
          <div className="day-bar" aria-hidden>
            {quietParts(quiet).map(part => (
              <span key={part.from} style={{ left: `${part.from * 100}%`, width: `${(part.to - part.from) * 100}%` }} />
            ))}
          </div>
          <div className="day-ends mono tiny soft" aria-hidden>
            {['00:00', '06:00', '12:00', '18:00', '24:00'].map(time => (
              <span key={time}>{time}</span>
            ))}
          </div>
          <div className="row">
            {(['from', 'to'] as const).map(end => (
              <TextField
                key={end}
                label={t(`prefs.quiet_${end}`)}
                type="time"
                className="mono short"
                value={quiet[end]}
                onChange={event => setQuiet({ ...quiet, [end]: event.target.value })}
              />
            ))}
          </div>
          <Weekdays label={t('prefs.quiet_days')} value={days} onChange={setDays} />
          <p className="soft small">{t('common.site_time', { zone: given?.timezone ?? zone })}</p>
        </>
      )}
      {fault !== null && <FaultNote error={fault} />}
      <div className="row">
        <Button
          aria-busy={busy}
          onClick={() =>
            void send(async () => {
              const quiet_hours =
                quiet === null ? null : { from: quiet.from, to: quiet.to, weekdays: [...days].sort(), timezone: given?.timezone ?? zone }
              await prefer('all', channel, { quiet_hours }, version)
              toast(t('common.saved'))
            })
          }
        >
          {t('prefs.save_quiet')}
          <span className="unseen"> {title}</span>
        </Button>
      </div>
    </fieldset>
  )
}

function Weekdays({ label, value, onChange }: { label: string; value: readonly number[]; onChange(days: readonly number[]): void }) {
  return (
    <fieldset className="fieldset">
      <legend className="small">{label}</legend>
      <div className="row tight-row">
        {DAYS.map(day => (
          <label key={day} className="tick">
            <input
              type="checkbox"
              checked={value.includes(day)}
              onChange={event => onChange(event.target.checked ? [...value, day] : value.filter(one => one !== day))}
            />
            <span>{t(`weekday.${day}`)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
