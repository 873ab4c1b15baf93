"""A person's choice of columns is kept."""

from collections.abc import Iterable, Mapping

from catalogsku.accounts.models import Merchant, User
from processing.lists.columns import ALWAYS, ListColumn
from processing.lists.conditions import column_of
from processing.lists.models import ListName, ShownColumns

COLUMNS_MOST = 30


def keep_columns(
    user: User, merchant: Merchant, name: ListName, keys: Iterable[str], known: Mapping[str, ListColumn]
) -> None:
    """In this order, each once; none: the usual ones again. Raises Refused(filter_column)."""
    columns = [column_of(key, known).key for key in dict.fromkeys(keys) if key not in ALWAYS][:COLUMNS_MOST]
    if columns:
        ShownColumns.objects.update_or_create(user=user, merchant=merchant, name=name, defaults={"columns": columns})
    else:
        ShownColumns.objects.filter(user=user, merchant=merchant, name=name).delete()
