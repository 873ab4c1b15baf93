"""Operations: what operators see and do about models and documents."""
