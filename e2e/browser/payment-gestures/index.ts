export { arriveLate } from './arrive-late.js';
export { bfcacheLaunchOptions, restoreFromBfcache } from './bfcache.js';
export { breakStorage } from './break-storage.js';
export { countCharges } from './count-charges.js';
export { doubleSubmit } from './double-submit.js';
export { goOffline } from './go-offline.js';
export { holdReply, holdRequest } from './hold.js';
export { loseReply, loseRequest } from './lose.js';
export { twoTabs } from './two-tabs.js';
