// What other rooms show of the wallet.
export { WalletTop } from './parts/top.tsx'
