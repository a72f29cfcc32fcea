export * from './card-texts.js';
export * from './cards.js';
export * from './money.js';
export * from './problems.js';
export * from './schemas.js';
