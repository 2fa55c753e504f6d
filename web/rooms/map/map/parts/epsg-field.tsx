import { NumberField } from '../../../../base/kit/field.tsx'
import { t } from '../says.ts'

type Given = {
  /** The field of the call that a refusal is about. */
  at?: string
  code: string
  /** Whether the code is proposed because this site used it last. */
  proposed: boolean
  /** What a person who doesn't know the code reads. */
  hint: string
  onType(code: string): void
}

/** The EPSG code of a grid. */
export function EpsgField({ at, code, proposed, hint, onType }: Given) {
  return (
    <NumberField
      label={t('epsg.code')}
      hint={proposed ? t('epsg.last') : hint}
      at={at}
      required
      min={1}
      max={999_999}
      step={1}
      value={code}
      onChange={event => onType(event.target.value)}
    />
  )
}
