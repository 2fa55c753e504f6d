export { type Filter, filters, type Listing, type ListPage, listing } from './queries/listing.ts'
export { type Condition, countIn, countShown, countUpTo, UNTIL_COUNTED } from './queries/pages.ts'
export { mentions } from './queries/search.ts'
