import { asFault } from '../../../../base/fault.ts'
import { Go } from '../../../../base/go.tsx'
import { useKeptForm } from '../../../../base/kept-form.ts'
import { FlagButton } from '../../../../base/kit/button.tsx'
import { Choice, TextArea, TextField, Tick } from '../../../../base/kit/field.tsx'
import { Form } from '../../../../base/kit/form.tsx'
import { FaultNote, Note, toast, toastFault, Wait } from '../../../../base/kit/note.tsx'
import { Restored } from '../../../../base/kit/restored.tsx'
import { SavedTick } from '../../../../base/kit/saved-tick.tsx'
import { useContractors } from '../../../../base/lists.ts'
import { paths } from '../../../../base/paths.ts'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { numberOf } from '../../../../base/words.ts'
import { t } from '../says.ts'
import { changeSite, type Site, type SiteChange, setMainContractor, setTransitive, useSite } from './data.ts'
import { GroupsPart } from './groups.tsx'
import { LockPart } from './lock.tsx'
import { linesOf, zones } from './new-site.tsx'

/** The name of the site, its place, its main contractor, and whether it is locked. */
export function SiteDetails() {
  const { site_id } = useHere()
  const site = useSite(site_id)
  if (site.data === undefined) return <Wait query={site} rows={4} />
  return (
    <>
      <DetailsForm key={site.data.version} site={site.data} onStale={() => void site.refetch()} />
      <InCharge site={site.data} />
      <section className="panel stack" aria-labelledby="ground">
        <h2 id="ground">{t('site.ground')}</h2>
        <p>
          {site.data.boundary_area_m2 === null
            ? t('site.ground_none')
            : t('site.ground_area', { area: numberOf(Math.round(site.data.boundary_area_m2)) })}
        </p>
        {site.data.location === null && <Note kind="warn">{t('site.no_location')}</Note>}
        <Go className="btn" to={paths.map(site_id, { draw: 'boundary' })}>
          {t(site.data.boundary_area_m2 === null ? 'site.ground_draw' : 'site.ground_change')}
        </Go>
      </section>
      <section className="panel stack" aria-labelledby="numbers">
        <h2 id="numbers">{t('site.numbers')}</h2>
        <p className="says">{t('site.numbers_says')}</p>
      </section>
      <GroupsPart site={site.data} />
      <LockPart site={site.data} />
    </>
  )
}

const textsOf = (site: Site) => ({
  name: site.name,
  code: site.code,
  address_lines: site.address_lines.join('\n'),
  locality: site.locality ?? '',
  postal_code: site.postal_code ?? '',
  country_code: site.country_code ?? '',
  timezone: site.timezone,
  locale: site.locale,
  emergency_phone: site.emergency_phone ?? '',
  starts_on: site.starts_on ?? '',
  planned_finish_on: site.planned_finish_on ?? '',
})
type Texts = ReturnType<typeof textsOf>

const NEVER_EMPTY = new Set(['name', 'code', 'timezone', 'locale'])
/** Codes have no small letters, and people need not switch to capitals on a phone. */
const IN_CAPITALS = new Set(['code', 'country_code'])

/** Returns the changed fields to send: a single field that the person can't change would make the service refuse all of them. */
function changeOf(before: Texts, now: Texts): SiteChange {
  const written = (name: string, value: string) => (IN_CAPITALS.has(name) ? value.trim().toUpperCase() : value.trim())
  const said = Object.entries(now).filter(([name, value]) => before[name as keyof Texts] !== value) // the object's own keys
  return Object.fromEntries(
    said.map(([name, value]) => [
      name,
      name === 'address_lines' ? linesOf(value) : value.trim() === '' && !NEVER_EMPTY.has(name) ? null : written(name, value),
    ]),
  ) as SiteChange // names and types are those of the form
}

function DetailsForm({ site, onStale }: { site: Site; onStale(): void }) {
  const { busy, fault, send } = useSend()
  const before = textsOf(site)
  const form = useKeptForm(`site ${site.id}`, { ...before, listed: site.public_listing })
  const { listed, ...texts } = form.values
  const { administer, configure } = site.permissions
  const field = (name: keyof Texts, who = configure) => ({
    at: name,
    value: texts[name],
    disabled: !who.allowed,
    onChange: (event: { target: { value: string } }) => form.change({ [name]: event.target.value }),
  })
  const save = async () => {
    const change = { ...changeOf(before, texts), ...(listed === site.public_listing ? {} : { public_listing: listed }) }
    if (Object.keys(change).length > 0 && !(await send(() => changeSite(site, change)))) return
    form.sent()
    toast(t('common.saved'))
  }
  return (
    <Form className="panel stack policy" aria-label={t('settings.site')} error={fault} onSubmit={() => void save()}>
      <Restored form={form} />
      <div className="pair">
        <TextField label={t('site.name')} required maxLength={200} {...field('name', administer)} />
        <TextField label={t('site.code')} required maxLength={12} className="mono capitals" {...field('code', administer)} />
        <Choice
          label={t('site.timezone')}
          hint={t('site.timezone_hint')}
          options={
            zones().some(zone => zone.value === texts.timezone) ? zones() : [{ value: texts.timezone, label: texts.timezone }, ...zones()]
          }
          {...field('timezone', administer)}
        />
        <TextField label={t('site.locale')} hint={t('site.locale_hint')} required className="mono" {...field('locale', administer)} />
        <TextArea label={t('site.address')} hint={t('site.address_hint')} rows={2} {...field('address_lines')} />
        <TextField label={t('site.locality')} maxLength={200} {...field('locality')} />
        <TextField label={t('site.postal_code')} maxLength={20} {...field('postal_code')} />
        <TextField
          label={t('site.country_code')}
          hint={t('site.country_hint')}
          maxLength={2}
          className="mono capitals"
          {...field('country_code')}
        />
        <TextField label={t('site.emergency_phone')} type="tel" maxLength={60} {...field('emergency_phone')} />
        <TextField label={t('site.starts_on')} type="date" {...field('starts_on')} />
        <TextField label={t('site.planned_finish_on')} type="date" {...field('planned_finish_on')} />
      </div>
      <Tick
        label={t('site.public_listing')}
        checked={listed}
        disabled={!administer.allowed}
        onChange={event => form.change({ listed: event.target.checked })}
      />
      {fault !== null && <FaultNote error={fault} onRetry={asFault(fault).code === 'version_conflict' ? onStale : undefined} />}
      <div className="row">
        <FlagButton flag={configure} look="primary" type="submit" disabled={busy}>
          {t('common.save')}
        </FlagButton>
      </div>
    </Form>
  )
}

/** The main contractor, and how far oversight reaches. */
function InCharge({ site }: { site: Site }) {
  const contractors = useContractors(site.id, 'active')
  const may = site.permissions.administer.allowed
  const sending = useSend()
  return (
    <section className="panel stack" aria-label={t('site.main_contractor')}>
      <Choice
        label={t('site.main_contractor')}
        disabled={!may}
        empty={t('site.main_contractor_none')}
        value={site.main_contractor_id ?? ''}
        options={(contractors.data ?? []).map(contractor => ({ value: contractor.id, label: contractor.name }))}
        onChange={event =>
          void setMainContractor(site, event.target.value || null)
            .then(() => toast(t('site.main_contractor_saved')))
            .catch(toastFault)
        }
      />
      <SavedTick
        label={t('site.oversight_transitive')}
        disabled={!may}
        checked={site.oversight_transitive}
        sending={sending}
        save={checked => setTransitive(site, checked)}
        said={t('common.saved')}
      />
      {sending.fault !== null && <FaultNote error={sending.fault} />}
    </section>
  )
}
