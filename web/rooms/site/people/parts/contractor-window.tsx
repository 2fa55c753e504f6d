import { asFault } from '../../../../base/fault.ts'
import { useKeptForm } from '../../../../base/kept-form.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { TextField } from '../../../../base/kit/field.tsx'
import { FaultNote, Note, toast } from '../../../../base/kit/note.tsx'
import { Restored } from '../../../../base/kit/restored.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { t } from '../../../../base/words.ts'
import { type Contractor, changeContractor, makeContractor } from '../data.ts'
import { wordsOf } from '../model.ts'

const LINES = ['registration_number', 'email', 'phone', 'address'] as const

/** The contact details of a contractor as a form shows them. */
const linesOf = (contractor: Contractor | null): Record<(typeof LINES)[number], string> => ({
  registration_number: contractor?.registration_number ?? '',
  email: contractor?.email ?? '',
  phone: contractor?.phone ?? '',
  address: contractor?.address ?? '',
})

/** A contractor: its names, its colour, and its contact details. */
export function ContractorWindow({ contractor, onClose }: { contractor: Contractor | null; onClose(): void }) {
  const { site_id } = useHere()
  const { busy, fault, send } = useSend()
  const form = useKeptForm(`contractor ${site_id} ${contractor?.id ?? 'new'}`, {
    name: contractor?.name ?? '',
    short_name: contractor?.short_name ?? '',
    aliases: contractor?.aliases.join(', ') ?? '',
    trades: contractor?.trades.join(', ') ?? '',
    colour: contractor?.colour ?? null,
    ...linesOf(contractor),
  })
  const refusal = asFault(fault)
  const similar = fault !== null && refusal.context.reason === 'similar_name'
  const wrong = refusal.fields
  const field = (name: Exclude<keyof typeof form.values, 'colour'>) => ({
    fault: wrong.get(name),
    value: form.values[name],
    onChange: (event: { target: { value: string } }) => form.change({ [name]: event.target.value }),
  })
  const save = async (confirm_similar: boolean) => {
    const { name, short_name, aliases, trades, colour, ...lines } = form.values
    const fields = {
      name: name.trim(),
      aliases: wordsOf(aliases),
      trades: wordsOf(trades),
      ...(short_name.trim() === '' ? {} : { short_name: short_name.trim() }),
      ...(colour === null || colour === contractor?.colour ? {} : { colour }),
      ...Object.fromEntries(
        LINES.filter(line => lines[line] !== (contractor?.[line] ?? '')).map(line => [line, lines[line].trim() || null]),
      ),
    }
    const done = await send(async () => {
      if (contractor === null) await makeContractor({ site_id, ...fields, ...(confirm_similar ? { confirm_similar } : {}) })
      else await changeContractor(contractor, fields)
    })
    if (!done) return
    form.sent()
    toast(t('common.saved'))
    onClose()
  }
  return (
    <Window title={contractor?.name ?? t('contractor.new')} side onClose={onClose} onSubmit={() => void save(false)}>
      <Restored form={form} />
      <TextField label={t('contractor.name')} required maxLength={200} {...field('name')} />
      <TextField
        label={t('contractor.short')}
        hint={t('contractor.short_hint')}
        optional
        maxLength={12}
        className="mono"
        {...field('short_name')}
      />
      <TextField label={t('contractor.aliases')} hint={t('contractor.aliases_hint')} optional {...field('aliases')} />
      <TextField label={t('contractor.trades')} hint={t('contractor.commas')} optional {...field('trades')} />
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
          value={form.values.colour ?? contractor.colour}
          onChange={event => form.change({ colour: event.target.value })}
        />
      )}
      {LINES.map(line => (
        <TextField
          key={line}
          label={t(`contractor.${line}`)}
          optional
          type={line === 'email' ? 'email' : line === 'phone' ? 'tel' : 'text'}
          {...field(line)}
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
