import { QueryFailedError } from 'typeorm';

// SQLSTATEs by the name that the manual gives them.
const UNIQUE_VIOLATION = '23505';
const CHECK_VIOLATION = '23514';
const LOCK_NOT_AVAILABLE = '55P03';

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return sqlStateOf(error) === UNIQUE_VIOLATION && constraintOf(error) === constraint;
}

export function isCheckViolation(error: unknown, constraint: string): boolean {
  return sqlStateOf(error) === CHECK_VIOLATION && constraintOf(error) === constraint;
}

export function isLockNotAvailable(error: unknown): boolean {
  return sqlStateOf(error) === LOCK_NOT_AVAILABLE;
}

/** The SQLSTATE of a failed query; undefined when the server did not get to answer, or when it is another error. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof QueryFailedError ? (error.driverError as { code?: string }).code : undefined;
}

function constraintOf(error: unknown): string | undefined {
  return error instanceof QueryFailedError
    ? (error.driverError as { constraint?: string }).constraint
    : undefined;
}
