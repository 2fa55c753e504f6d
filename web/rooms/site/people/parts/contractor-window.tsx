import { useState } from 'react'
import { asFault } from '../../../../base/fault.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { TextField } from '../../../../base/kit/field.tsx'
import { FaultNote, Note, toast } from '../../../../base/kit/note.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { t } from '../../../../base/words.ts'
import { type Contractor, changeContractor, makeContractor } from '../data.ts'
import { wordsOf } from '../model.ts'

const LINES = ['registration_number', 'email', 'phone', 'address'] as const

/** A contractor: its names, its colour, and its contact details. */
export function ContractorWindow({ contractor, onClose }: { contractor: Contractor | null; onClose(): void }) {
  const { site_id } = useHere()
  const { busy, fault, send } = useSend()
  const [name, setName] = useState(contractor?.name ?? '')
  const [short, setShort] = useState(contractor?.short_name ?? '')
  const [aliases, setAliases] = useState(contractor?.aliases.join(', ') ?? '')
  const [trades, setTrades] = useState(contractor?.trades.join(', ') ?? '')
  const [colour, setColour] = useState(contractor?.colour ?? null)
  const [lines, setLines] = useState<Partial<Record<(typeof LINES)[number], string>>>(() =>
    Object.fromEntries(LINES.map(line => [line, contractor?.[line] ?? ''])),
  )
  const refusal = asFault(fault)
  const similar = fault !== null && refusal.context.reason === 'similar_name'
  const wrong = refusal.fields
  const save = async (confirm_similar: boolean) => {
    const fields = {
      name: name.trim(),
      aliases: wordsOf(aliases),
      trades: wordsOf(trades),
      ...(short.trim() === '' ? {} : { short_name: short.trim() }),
      ...(colour === null || colour === contractor?.colour ? {} : { colour }),
      ...Object.fromEntries(
        LINES.filter(line => (lines[line] ?? '') !== (contractor?.[line] ?? '')).map(line => [line, lines[line]?.trim() || null]),
      ),
    }
    const done = await send(async () => {
      if (contractor === null) await makeContractor({ site_id, ...fields, ...(confirm_similar ? { confirm_similar } : {}) })
      else await changeContractor(contractor, fields)
    })
    if (!done) return
    toast(t('common.saved'))
    onClose()
  }
  return (
    <Window title={contractor?.name ?? t('contractor.new')} side onClose={onClose} onSubmit={() => void save(false)}>
      <TextField
        label={t('contractor.name')}
        fault={wrong.get('name')}
        required
        maxLength={200}
        value={name}
        onChange={event => setName(event.target.value)}
      />
      <TextField
        label={t('contractor.short')}
        hint={t('contractor.short_hint')}
        fault={wrong.get('short_name')}
        optional
        maxLength={12}
        className="mono"
        value={short}
        onChange={event => setShort(event.target.value)}
      />
      <TextField
        label={t('contractor.aliases')}
        hint={t('contractor.aliases_hint')}
        fault={wrong.get('aliases')}
        optional
        value={aliases}
        onChange={event => setAliases(event.target.value)}
      />
      <TextField
        label={t('contractor.trades')}
        hint={t('contractor.commas')}
        fault={wrong.get('trades')}
        optional
        value={trades}
        onChange={event => setTrades(event.target.value)}
      />
      {contractor !== null && (
        <TextField
          label={t('contractor.colour')}
          hint={
            contractor.similar_to.length > 0
              ? t('contractor.colour_alike', { n: contractor.similar_to.length })
              : t('contractor.colour_hint')
          }
          fault={wrong.get('colour')}
          type="color"
          className="colour"
          value={colour ?? contractor.colour}
          onChange={event => setColour(event.target.value)}
        />
      )}
      {LINES.map(line => (
        <TextField
          key={line}
          label={t(`contractor.${line}`)}
          fault={wrong.get(line)}
          optional
          type={line === 'email' ? 'email' : line === 'phone' ? 'tel' : 'text'}
          value={lines[line] ?? ''}
          onChange={event => setLines({ ...lines, [line]: event.target.value })}
        />
      ))}
      {similar && (
        <Note kind="warn" title={refusal.message}>
          <Button disabled={busy} onClick={() => void save(true)}>
            {t('contractor.another')}
          </Button>
        </Note>
      )}
      {fault !== null && !similar && <FaultNote error={fault} />}
      <div className="row">
        <Button look="primary" type="submit" disabled={busy}>
          {t('common.save')}
        </Button>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
      </div>
    </Window>
  )
}
