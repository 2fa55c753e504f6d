import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ask, client } from '../../base/api.ts'
import { useGo, usePlace } from '../../base/go.tsx'
import { Button, FlagButton } from '../../base/kit/button.tsx'
import { Choice, TextArea, TextField } from '../../base/kit/field.tsx'
import { Glyph } from '../../base/kit/glyph.tsx'
import { Bones, FaultNote, PageWait, toast } from '../../base/kit/note.tsx'
import { useFirms, useMembers, usePermitTypes } from '../../base/lists.ts'
import { paths } from '../../base/paths.ts'
import { useHere } from '../../base/site.tsx'
import { clockOf } from '../../base/time.ts'
import { t } from '../../base/words.ts'
import { takeStep, useLastPermits, usePermit } from './data.ts'
import { type Fields, type Saved, useDraft } from './draft.ts'
import { AnswerChecks } from './parts/answer-checks.tsx'
import { Files } from './parts/files.tsx'
import { WhyBack } from './parts/history.tsx'
import { Pills } from './parts/pills.tsx'
import { PlaceFields } from './parts/place-fields.tsx'
import { TagField } from './parts/tag-field.tsx'
import { Demands, TypePicker } from './parts/type-picker.tsx'
import { WindowFields } from './parts/window-fields.tsx'
import { flagOf, type Permit } from './steps.ts'

/** Writes a permit: types first, for they say what the rest must be. Every change is saved by itself. */
export default function Request() {
  const [place] = usePlace()
  return place.draft === undefined ? <Form key="new" /> : <Open key={place.draft} permit_id={place.draft} />
}

function Open({ permit_id }: { permit_id: string }) {
  const permit = usePermit(permit_id)
  if (permit.data === undefined) return <PageWait title={t('request.title')} query={permit} />
  return <Form given={permit.data} />
}

function Form({ given }: { given?: Permit }) {
  const here = useHere()
  const go = useGo()
  const [place] = usePlace()
  const types = usePermitTypes(here.site_id)
  const start: Fields = place.parent === undefined ? {} : { parent_id: place.parent }
  const draft = useDraft(here.site_id, given, start)
  const { fields, permit, saved } = draft
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<unknown>(null)
  const wrong = (field: string) => (saved.fault ?? (fault as { fields?: Map<string, string> } | null))?.fields?.get(field)
  const submit = async () => {
    setBusy(true)
    setFault(null)
    try {
      const ready = await draft.send()
      if (ready === null) return
      const done = await takeStep(ready, 'submit', {})
      toast(t(done.outcome === 'saved' ? 'outbox.saved' : 'stepped.submit'))
      go(paths.permit(here.site_id, ready.id), { replace: true })
    } catch (error) {
      setFault(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="request">
      <header className="row">
        <Button look="quiet" square aria-label={t('common.back')} onClick={() => history.back()}>
          <Glyph name="back" />
        </Button>
        <h1>{t(given?.permit_number == null ? 'request.title' : 'request.title_again')}</h1>
      </header>
      {given != null && <WhyBack permit={given} />}
      <section className="panel stack" aria-label={t('permit.types')}>
        <h2>{t('request.types')}</h2>
        {types.data === undefined ? (
          <Bones rows={2} height={44} />
        ) : (
          <TypePicker types={types.data} chosen={fields.categories ?? []} onChoose={categories => draft.change({ categories })} />
        )}
        {wrong('categories') !== undefined && <p className="fault">{wrong('categories')}</p>}
        {types.data !== undefined && (fields.categories ?? []).length > 0 && (
          <Demands types={types.data} chosen={fields.categories ?? []} />
        )}
      </section>
      <section className="panel stack" aria-label={t('permit.work')}>
        <h2>{t('permit.work')}</h2>
        <TextField
          label={t('request.name')}
          hint={t('request.name_hint')}
          maxLength={200}
          value={fields.title ?? ''}
          fault={wrong('title')}
          onChange={event => draft.change({ title: event.target.value || null })}
        />
        <TextArea
          label={t('permit.description')}
          rows={3}
          value={fields.description ?? ''}
          fault={wrong('description')}
          onChange={event => draft.change({ description: event.target.value || null })}
        />
        <TagField
          label={t('permit.hazards')}
          value={fields.hazards ?? []}
          suggestions={t('request.hazards_known').split('; ')}
          onChange={hazards => draft.change({ hazards })}
        />
        <TextArea
          label={t('permit.controls')}
          rows={3}
          value={fields.controls ?? ''}
          fault={wrong('controls')}
          onChange={event => draft.change({ controls: event.target.value || null })}
        />
        <TagField
          label={t('permit.ppe')}
          value={fields.ppe ?? []}
          suggestions={t('request.ppe_known').split('; ')}
          onChange={ppe => draft.change({ ppe })}
        />
        <TextArea
          label={t('permit.limitations')}
          optional
          rows={2}
          value={fields.limitations ?? ''}
          fault={wrong('limitations')}
          onChange={event => draft.change({ limitations: event.target.value || null })}
        />
      </section>
      <section className="panel stack" aria-label={t('permit.window')}>
        <h2>{t('request.when')}</h2>
        <WindowFields fields={fields} wrong={wrong} onChange={change => draft.change(change)} />
      </section>
      <section className="panel stack" aria-label={t('permit.where')}>
        <h2>{t('permit.where')}</h2>
        <PlaceFields fields={fields} fault={wrong('place')} onChange={change => draft.change(change)} />
      </section>
      <section className="panel stack" aria-label={t('request.who')}>
        <h2>{t('request.who')}</h2>
        <Who fields={fields} permit={permit} wrong={wrong} onChange={change => draft.change(change)} />
      </section>
      {permit !== undefined && permit.pre_checks.length > 0 && (
        <AnswerChecks permit={permit} given={fields.pre_checks ?? []} onAnswer={pre_checks => draft.change({ pre_checks })} />
      )}
      {permit !== undefined && <Files permit={permit} />}
      <div className="submit-bar">
        <SavedMark saved={saved} zone={here.zone} />
        {(fault !== null || saved.fault !== null) && <FaultNote error={fault ?? saved.fault} />}
        <FlagButton
          look="chief"
          flag={
            permit === undefined
              ? {
                  allowed: false,
                  because: [{ code: 'fresh', detail: t(saved.state === 'fresh' ? 'request.not_yet' : 'request.soon') }],
                }
              : flagOf(permit, 'submit')
          }
          aria-busy={busy}
          onClick={() => void submit()}
        >
          {t('step.submit')}
        </FlagButton>
      </div>
    </div>
  )
}

function SavedMark({ saved, zone }: { saved: Saved; zone: string }) {
  const time = saved.at === null ? '' : clockOf(new Date(saved.at).toISOString(), zone)
  const glyph = { fresh: 'card', typing: 'clock', here: 'offline', service: 'ok', refused: 'warning' } as const
  return (
    <span className="row small soft" role="status">
      <Glyph name={glyph[saved.state]} size={16} />
      {t(`request.saved.${saved.state}`, { time })}
    </span>
  )
}

type WhoGiven = { fields: Fields; permit: Permit | undefined; wrong(field: string): string | undefined; onChange(change: Fields): void }

function Who({ fields, permit, wrong, onChange }: WhoGiven) {
  const { site_id, me } = useHere()
  const firms = useFirms(site_id, 'active')
  const people = useMembers(site_id)
  const named = new Set(useLastPermits(site_id, me.id).map(one => one.receiver_id))
  const lately = (people.data ?? []).filter(person => named.has(person.user_id)).slice(0, 3)
  const parents = useQuery({
    queryKey: ['permits', 'parents', site_id],
    queryFn: () =>
      ask(client.GET('/permits', { params: { query: { site_id, status: ['requested', 'endorsed', 'approved', 'issued'], limit: 200 } } })),
    enabled: permit?.requires_parent === true || fields.parent_id != null,
  })
  return (
    <>
      <Choice
        label={t('permit.contractor')}
        empty={t('common.none')}
        value={fields.contractor_id ?? ''}
        fault={wrong('contractor_id')}
        options={(firms.data ?? []).map(firm => ({ value: firm.id, label: firm.name }))}
        onChange={event => onChange({ contractor_id: event.target.value || null })}
      />
      <Choice
        label={t('permit.receiver')}
        hint={t('request.receiver_hint')}
        empty={t('common.none')}
        value={fields.receiver_id ?? ''}
        fault={wrong('receiver_id')}
        options={(people.data ?? []).map(person => ({ value: person.user_id, label: person.name }))}
        onChange={event => onChange({ receiver_id: event.target.value || null })}
      />
      <Pills
        label={t('request.receivers_lately')}
        offered={lately.map(({ user_id, name }) => ({
          key: user_id,
          label: name,
          taken: fields.receiver_id === user_id,
          onTake: () => onChange({ receiver_id: user_id }),
        }))}
      />
      {(permit?.requires_parent === true || fields.parent_id != null) && (
        <Choice
          label={t('permit.parent')}
          hint={t('request.parent_hint')}
          empty={t('common.none')}
          value={fields.parent_id ?? ''}
          fault={wrong('parent_id')}
          options={(parents.data ?? [])
            .filter(one => one.id !== permit?.id)
            .map(one => ({ value: one.id, label: `${one.permit_number ?? ''} ${one.title ?? ''}` }))}
          onChange={event => onChange({ parent_id: event.target.value || null })}
        />
      )}
    </>
  )
}
