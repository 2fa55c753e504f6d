import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ask, client, freshKey, type Schemas } from '../../../../base/api.ts'
import { isSignedIn, signIn } from '../../../../base/auth.ts'
import { Go, usePlace } from '../../../../base/go.tsx'
import { Button } from '../../../../base/kit/button.tsx'
import { Choice, TextArea, TextField } from '../../../../base/kit/field.tsx'
import { Form } from '../../../../base/kit/form.tsx'
import { Mark } from '../../../../base/kit/mark.tsx'
import { FaultNote, Note, Wait } from '../../../../base/kit/note.tsx'
import { paths } from '../../../../base/paths.ts'
import { queries } from '../../../../base/query.ts'
import { useSend } from '../../../../base/send.ts'
import { ME, siteQuery, sitesQuery, useMe } from '../../../../base/site.tsx'
import { t } from '../says.ts'

/** Time zones that this browser knows. */
export const zones = (): { value: string; label: string }[] =>
  ['UTC', ...Intl.supportedValuesOf('timeZone').filter(zone => zone !== 'UTC')].map(value => ({ value, label: value.replaceAll('_', ' ') }))

/** Lists the lines of a text, without empty ones. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')

/** Creates a site: its name, its place, and its time zone. */
export default function NewSite() {
  const { busy, fault, send } = useSend()
  // In the URL, so that a reload shows the site that was created, and no second one is.
  const [{ created = null, like }, setPlace] = usePlace()
  const made = useQuery({ ...siteQuery(created ?? ''), enabled: created !== null })
  const [form, setForm] = useState(() => ({
    name: '',
    code: '',
    address: '',
    locality: '',
    postal_code: '',
    country_code: 'GB',
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    copy_from_site_id: '',
  }))
  const models = useModels()
  useEffect(() => {
    document.title = `${t('new_site.title')} · ${t('app.name')}`
    if (!isSignedIn()) void signIn(location.pathname + location.search)
  }, [])
  const field = (name: keyof typeof form) => ({
    at: name === 'address' ? 'address_lines' : name,
    value: form[name],
    onChange: (event: { target: { value: string } }) => setForm({ ...form, [name]: event.target.value }),
  })
  const save = () =>
    send(async () => {
      const { code, address, ...rest } = form
      const body = {
        name: rest.name.trim(),
        timezone: rest.timezone,
        address_lines: linesOf(address),
        locality: rest.locality.trim() || null,
        postal_code: rest.postal_code.trim() || null,
        country_code: rest.country_code.trim().toUpperCase() || null,
        copy_from_site_id: rest.copy_from_site_id || null,
        ...(code.trim() === '' ? {} : { code: code.trim().toUpperCase() }),
      }
      const site = await ask(client.POST('/sites', { body, headers: freshKey() }))
      await queries.invalidateQueries({ queryKey: ME })
      queries.setQueryData(siteQuery(site.id).queryKey, site)
      setPlace({ created: site.id, like: form.copy_from_site_id })
    })
  return (
    <main id="main" className="chooser">
      <header className="row">
        <Go to={paths.sites()} aria-label={t('sites.title')}>
          <Mark size={40} />
        </Go>
        <h1>{t('new_site.title')}</h1>
      </header>
      {made.data !== undefined && <Next site={made.data} like={models.find(one => one.value === like)?.label ?? null} />}
      {created !== null ? (
        <Wait query={made} />
      ) : (
        <Form className="panel stack" error={fault} onSubmit={() => void save()}>
          <TextField label={t('site.name')} required maxLength={200} autoComplete="off" {...field('name')} />
          <Choice label={t('site.timezone')} hint={t('site.timezone_hint')} required options={zones()} {...field('timezone')} />
          <TextArea label={t('site.address')} hint={t('site.address_hint')} optional rows={2} {...field('address')} />
          <TextField label={t('site.locality')} optional maxLength={200} {...field('locality')} />
          <TextField label={t('site.postal_code')} optional maxLength={20} {...field('postal_code')} />
          <TextField
            label={t('site.country_code')}
            hint={t('site.country_hint')}
            optional
            maxLength={2}
            className="mono capitals"
            {...field('country_code')}
          />
          <TextField
            label={t('site.code')}
            hint={t('site.code_hint')}
            optional
            maxLength={12}
            className="mono capitals"
            {...field('code')}
          />
          {models.length > 0 && (
            <Choice
              label={t('new_site.like')}
              hint={t('new_site.like_hint')}
              empty={t('new_site.standard')}
              options={models}
              {...field('copy_from_site_id')}
            />
          )}
          {fault !== null && <FaultNote error={fault} />}
          <Button look="primary" type="submit" wide disabled={busy}>
            {t('new_site.make')}
          </Button>
        </Form>
      )}
    </main>
  )
}

/** The sites whose configuration the person can copy: those that they can configure, locked or not. */
function useModels(): { value: string; label: string }[] {
  const me = useMe().data
  const { data: sites = [] } = useQuery({ ...sitesQuery, enabled: me !== undefined })
  const mine = me?.memberships.filter(one => one.status === 'active' && one.permissions.includes('site_configure')) ?? []
  return sites
    .filter(site => me?.user.is_superadmin === true || mine.some(one => one.site_id === site.id))
    .map(site => ({ value: site.id, label: site.name }))
}

function Next({ site, like }: { site: Schemas['Site']; like: string | null }) {
  const steps = [
    { to: paths.map(site.id, { draw: 'boundary' }), label: t('new_site.draw'), says: t('new_site.draw_says') },
    { to: `${paths.members(site.id)}?invite=admin`, label: t('new_site.invite'), says: t('new_site.invite_says') },
    {
      to: paths.settings(site.id, 'types'),
      label: t('new_site.types'),
      says: like === null ? t('new_site.types_says') : t('new_site.types_like', { name: like }),
    },
  ]
  return (
    <>
      <Note kind="safe" title={t('new_site.made', { name: site.name })} />
      {site.needs_attention.length > 0 && (
        <Note kind="warn" title={t('new_site.attention')}>
          <ul className="bullets small">
            {site.needs_attention.map(one => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </Note>
      )}
      <h2>{t('new_site.next')}</h2>
      <ol className="stack">
        {steps.map(step => (
          <li key={step.to}>
            <Go className="panel site-row" to={step.to}>
              <span className="stack tight">
                <span className="strong">{step.label}</span>
                <span className="soft small">{step.says}</span>
              </span>
            </Go>
          </li>
        ))}
      </ol>
    </>
  )
}
