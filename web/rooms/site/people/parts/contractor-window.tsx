import { TextField } from '../../../../base/kit/field.tsx'
import { RecordForm } from '../../../../base/records/form.tsx'
import { useHere } from '../../../../base/site.tsx'
import { type Contractor, changeContractor, makeContractor } from '../data.ts'
import { wordsOf } from '../model.ts'
import { t } from '../says.ts'
import { ColourField } from './colour-field.tsx'

const LINES = ['registration_number', 'email', 'phone', 'address'] as const
const TYPES = { registration_number: 'text', email: 'email', phone: 'tel', address: 'text' } as const

const startOf = (contractor: Contractor | null) => ({
  name: contractor?.name ?? '',
  short_name: contractor?.short_name ?? '',
  aliases: contractor?.aliases.join(', ') ?? '',
  trades: contractor?.trades.join(', ') ?? '',
  colour: contractor?.colour ?? null,
  registration_number: contractor?.registration_number ?? '',
  email: contractor?.email ?? '',
  phone: contractor?.phone ?? '',
  address: contractor?.address ?? '',
})

/** A contractor: its names, its colour, and its contact details. */
export function ContractorWindow({ contractor, onClose }: { contractor: Contractor | null; onClose(): void }) {
  const { site_id } = useHere()
  const save = ({ name, short_name, aliases, trades, colour, ...lines }: ReturnType<typeof startOf>, sure: boolean) => {
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
    return contractor === null
      ? makeContractor({ site_id, ...fields, ...(sure ? { confirm_similar: true } : {}) })
      : changeContractor(contractor, fields)
  }
  return (
    <RecordForm
      title={contractor?.name ?? t('contractor.new')}
      side
      name={`contractor ${site_id} ${contractor?.id ?? 'new'}`}
      body="NewContractor"
      start={startOf(contractor)}
      save={save}
      confirm={{ isAsked: fault => fault.context.reason === 'similar_name', label: t('contractor.another') }}
      onClose={onClose}
    >
      {({ field, values, change }) => (
        <>
          <TextField label={t('contractor.name')} {...field('name')} />
          <TextField
            label={t('contractor.short')}
            hint={contractor === null ? t('contractor.short_hint') : undefined}
            className="mono"
            {...field('short_name')}
          />
          <TextField label={t('contractor.aliases')} hint={t('contractor.aliases_hint')} {...field('aliases')} />
          <TextField label={t('contractor.trades')} hint={t('contractor.commas')} {...field('trades')} />
          {contractor !== null && (
            <ColourField contractor={contractor} value={values.colour ?? contractor.colour} onColour={colour => change({ colour })} />
          )}
          {LINES.map(line => (
            <TextField key={line} label={t(`contractor.${line}`)} type={TYPES[line]} {...field(line)} />
          ))}
        </>
      )}
    </RecordForm>
  )
}
