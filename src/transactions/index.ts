// Transactions: creating, showing and listing them.
// Owns: transaction. Endpoints E1, T1, T2.
// Promises: an answered transaction is durable; ids and titles are unique; a transaction is seen by its merchant only.
export { transactionRoutes } from './routes.ts';
