"""What an installation needs for so many pages a day: cores, memory, disk, people and money, from what is measured."""
