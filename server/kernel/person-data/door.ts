// Person data (`safety.md` §0.3): a kind of record lists the fields that contain it (`personal`). The audit log has their values only encrypted, with a key of each record.
export {
  asKnown,
  type Decipher,
  decipherer,
  type Encipher,
  encipherer,
  erasePersonData,
  withPersonData,
  wrapPersonKeys,
} from './actions.ts'
