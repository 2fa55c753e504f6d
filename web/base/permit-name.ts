import { t } from './words.ts'

/** Returns what a permit is called where only its name is shown: its number and what is done, because few people know a permit by its number. */
export const permitName = ({ permit_number, title }: { permit_number: string | null; title: string | null }): string =>
  [permit_number, title].filter(part => part !== null && part !== '').join(' ') || t('permit.untitled')
