import { useDeferredValue, useEffect, useState } from 'react'
import { Go, usePlace } from '../../../base/go.tsx'
import { Choices } from '../../../base/kit/field.tsx'
import { Glyph } from '../../../base/kit/glyph.tsx'
import { Empty, Wait } from '../../../base/kit/note.tsx'
import { paths } from '../../../base/paths.ts'
import { useHere } from '../../../base/site.tsx'
import { t } from '../../../base/words.ts'
import { SettingsTabs } from '../../site/settings/door.tsx'
import { useRules } from './data.ts'
import { inOrder, narrowedTo, rightsOn } from './model.ts'
import { RuleLine } from './parts/rule-line.tsx'
import './rules.css'

const STATES = ['any', 'on', 'off'] as const

/** Notification rules: the site's own rules, then the standard ones. */
export default function Rules() {
  const here = useHere()
  const [place, setPlace] = usePlace()
  const [typed, setTyped] = useState(place.q ?? '')
  const rules = useRules(here.site_id)
  const late = useDeferredValue(typed)
  useEffect(() => {
    document.title = `${t('rules.title')} · ${here.name}`
  }, [here.name])
  const state = STATES.find(one => one === place.state) ?? 'any'
  const found = inOrder(narrowedTo(rules.data ?? [], late, state === 'any' ? null : state))
  const has_own = rules.data?.some(rule => rule.source === 'site') ?? false
  const add = rightsOn(here, null).edit.allowed && (
    <Go className="btn primary" to={paths.rule(here.site_id, 'new')}>
      <Glyph name="plus" />
      {t('rules.new')}
    </Go>
  )
  return (
    <div className="stack rules-page">
      <h1>{t('nav.settings')}</h1>
      <SettingsTabs part="rules" />
      <div className="row spread">
        <p className="soft says">{t('rules.says')}</p>
        {add}
      </div>
      <div className="row">
        <input
          type="search"
          className="input finder"
          aria-label={t('rules.find')}
          placeholder={t('rules.find')}
          value={typed}
          onChange={event => setTyped(event.target.value)}
        />
        <Choices
          label={t('rules.state')}
          hidden
          options={STATES.map(value => ({ value, label: t(`rules.state.${value}`) }))}
          value={state}
          onChoose={next => setPlace({ state: next === 'any' ? undefined : next })}
        />
      </div>
      <Wait query={rules} rows={5} />
      {rules.data !== undefined && (
        <>
          <section className="stack" aria-labelledby="own-rules">
            <h2 id="own-rules">{t('rules.own')}</h2>
            {!has_own && <Empty action={add || undefined}>{t('rules.none_own')}</Empty>}
            {has_own && found.own.length === 0 && <p className="soft">{t('rules.none_found')}</p>}
            <ul className="lines">
              {found.own.map(rule => (
                <RuleLine key={rule.id} rule={rule} />
              ))}
            </ul>
          </section>
          <section className="stack" aria-labelledby="shipped-rules">
            <h2 id="shipped-rules">{t('rules.shipped')}</h2>
            {found.shipped.length === 0 && <p className="soft">{t('rules.none_found')}</p>}
            <ul className="lines">
              {found.shipped.map(rule => (
                <RuleLine key={rule.id} rule={rule} />
              ))}
            </ul>
          </section>
        </>
      )}
    </div>
  )
}
