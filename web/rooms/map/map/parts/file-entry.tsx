import { Entry } from '../../../../base/kit/field.tsx'

type Given = {
  label: string
  hint: string
  fault?: string | undefined
  /** Endings of the files that can be chosen. */
  accept: string
  onFile(file: File | null): void
}

/** Returns the name of a file without its ending, as a first proposal for what it contains. */
export const baseOf = (file: File): string => file.name.replace(/\.[^.]{1,10}$/, '')

/** Chooses a file for what is being added. */
export const FileEntry = ({ label, hint, fault, accept, onFile }: Given) => (
  <Entry label={label} hint={hint} fault={fault}>
    {control => <input {...control} type="file" required accept={accept} onChange={event => onFile(event.target.files?.[0] ?? null)} />}
  </Entry>
)
